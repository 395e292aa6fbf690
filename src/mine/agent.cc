#include "mine/agent.h"

#include <algorithm>
#include <string>

namespace dowser {
namespace {

struct Rule {
  std::string_view word;  // in lower case
  std::string_view name;
};

// The first that fits wins. Robots with a name of their own come before the general words.
constexpr Rule kRobots[] = {
    {"googlebot", "Googlebot"},
    {"mediapartners-google", "Google AdSense"},
    {"adsbot-google", "Google AdsBot"},
    {"bingbot", "Bingbot"},
    {"msnbot", "Bingbot"},
    {"slurp", "Yahoo Slurp"},
    {"baiduspider", "Baiduspider"},
    {"yandex", "YandexBot"},
    {"duckduckbot", "DuckDuckBot"},
    {"applebot", "Applebot"},
    {"facebookexternalhit", "Facebook"},
    {"facebot", "Facebook"},
    {"twitterbot", "Twitterbot"},
    {"ia_archiver", "Internet Archive"},
    {"archive.org_bot", "Internet Archive"},
    {"ahrefs", "AhrefsBot"},
    {"semrush", "SemrushBot"},
    {"mj12bot", "MJ12bot"},
    {"dotbot", "DotBot"},
    {"sogou", "Sogou"},
    {"exabot", "Exabot"},
    {"gptbot", "GPTBot"},
    {"feedfetcher", "Feed reader"},
    {"feedburner", "Feed reader"},
    {"feedparser", "Feed reader"},
    {"feed", "Feed reader"},
    {"rss", "Feed reader"},
    {"tiny tiny", "Feed reader"},
    {"netvibes", "Feed reader"},
    {"liferea", "Feed reader"},
    {"newsbeuter", "Feed reader"},
    {"newsblur", "Feed reader"},
    {"uptime", "Monitor"},
    {"pingdom", "Monitor"},
    {"nagios", "Monitor"},
    {"monitor", "Monitor"},
    {"statuscake", "Monitor"},
    {"w3c_validator", "Validator"},
    {"validator", "Validator"},
    {"bot", "Robot"},
    {"crawl", "Robot"},
    {"spider", "Robot"},
    {"scrap", "Robot"},
    {"archiv", "Robot"},
    {"indexer", "Robot"},
    {"fetcher", "Robot"},
    {"scanner", "Robot"},
    {"linkcheck", "Robot"},
    {"link checker", "Robot"},
    {"headless", "Robot"},
    {"phantomjs", "Robot"},
    {"curl", "Program"},
    {"wget", "Program"},
    {"libwww", "Program"},
    {"lwp", "Program"},
    {"python", "Program"},
    {"java/", "Program"},
    {"httpclient", "Program"},
    {"okhttp", "Program"},
    {"go-http", "Program"},
    {"ruby", "Program"},
    {"perl", "Program"},
    {"php", "Program"},
    {"guzzle", "Program"},
    {"axios", "Program"},
    {"node-fetch", "Program"},
    {"winhttp", "Program"},
    {"snoopy", "Program"},
    {"nikto", "Scanner"},
    {"sqlmap", "Scanner"},
    {"nmap", "Scanner"},
    {"masscan", "Scanner"},
    {"zgrab", "Scanner"},
};

// Browsers that pretend to be others come before those.
constexpr Rule kBrowsers[] = {
    {"edg/", "Edge"},
    {"edge/", "Edge"},
    {"edga/", "Edge"},
    {"edgios/", "Edge"},
    {"opr/", "Opera"},
    {"opera", "Opera"},
    {"vivaldi", "Vivaldi"},
    {"yabrowser", "Yandex Browser"},
    {"samsungbrowser", "Samsung Internet"},
    {"ucbrowser", "UC Browser"},
    {"seamonkey", "SeaMonkey"},
    {"iceweasel", "Firefox"},
    {"firefox", "Firefox"},
    {"fxios", "Firefox"},
    {"chromium", "Chromium"},
    {"crios", "Chrome"},
    {"chrome", "Chrome"},
    {"android", "Android browser"},
    {"konqueror", "Konqueror"},
    {"epiphany", "Epiphany"},
    {"safari", "Safari"},
    {"msie", "Internet Explorer"},
    {"trident", "Internet Explorer"},
    {"lynx", "Text browser"},
    {"links", "Text browser"},
    {"w3m", "Text browser"},
    {"netscape", "Netscape"},
    {"mozilla/4", "Netscape"},
    {"gecko", "Other Mozilla"},
    {"applewebkit", "Other WebKit"},
};

constexpr Rule kSystems[] = {
    {"android", "Android"},
    {"iphone", "iOS"},
    {"ipad", "iOS"},
    {"ipod", "iOS"},
    {"windows phone", "Windows Phone"},
    {"windows", "Windows"},
    {"win32", "Windows"},
    {"win98", "Windows"},
    {"winnt", "Windows"},
    {"mac os", "macOS"},
    {"macintosh", "macOS"},
    {"cros", "ChromeOS"},
    {"ubuntu", "Linux"},
    {"linux", "Linux"},
    {"freebsd", "BSD"},
    {"openbsd", "BSD"},
    {"netbsd", "BSD"},
    {"sunos", "Solaris"},
    {"blackberry", "BlackBerry"},
    {"x11", "Unix"},
};

template <size_t N>
std::string_view first_that_fits(const Rule (&rules)[N], const std::string& text) {
  for (const Rule& rule : rules) {
    if (text.find(rule.word) != text.npos) return rule.name;
  }
  return "";
}

}  // namespace

Agent read_agent(std::string_view header) {
  std::string lower(header.substr(0, 1024));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c); });
  Agent agent{"Other", "Other", false};
  if (const auto name = first_that_fits(kSystems, lower); !name.empty()) agent.system = name;
  // "Cubot" is a telephone.
  const size_t telephone = lower.find("cubot");
  if (telephone != lower.npos) lower.replace(telephone, 5, "phone");
  if (const auto name = first_that_fits(kRobots, lower); !name.empty()) {
    agent.browser = name;
    agent.robot = true;
    return agent;
  }
  if (const auto name = first_that_fits(kBrowsers, lower); !name.empty()) agent.browser = name;
  return agent;
}

}  // namespace dowser
