#include "text/stop_words_data.h"

// The function words of each language: articles, pronouns, prepositions, conjunctions, auxiliary
// verbs and the commonest adverbs, in the form that for_each_token gives them. The English list is
// appendix B of R. Chen, An Enhanced Web Robot for the CINDI System, Concordia University 2008,
// which includes words of HTML; its section 4.3.1 names "nbsp" as one of these, although the
// printed list lacks it.

namespace dowser {
namespace {

constexpr std::string_view kEnglish =
    "a able about above according accordingly across actually after afterwards again against all "
    "allow allows almost alone along already also although always am among amongst an and another "
    "any anybody anyhow anyone anything anyway anyways anywhere apart apparently appear "
    "appreciate appropriate are aren't around as aside ask asks asking associated at available "
    "away awfully b be became because become becomes becoming been before beforehand begin "
    "beginning behind being believe below beside besides best better between beyond both brief "
    "but by c came can cannot can't cant cause causes certain certainly change clearly co com "
    "come comes concerning consequently consider considering contain containing contains "
    "corresponding could couldn't course currently d definitely described despite did didn't "
    "different do does doesn't doing don't done down downwards during e each edu eg eight either "
    "else elsewhere end ending enough entirely especially et etc even ever every everybody "
    "everyone everything everywhere ex exactly example except f far few fifth first five followed "
    "following follows for former formerly forth four from further furthermore fully g gave get "
    "gets getting given gives go goes going gone got gotten greetings gt h had happens hardly has "
    "hasn't have haven't having he he'd he'll he's hello help hence her here here's hereafter "
    "hereby herein hereupon hers herself hi him himself his hither hopefully how howbeit however "
    "i i'd i'll i'm i've ie if ignored immediate in inasmuch inc indeed indicate indicated "
    "indicates inner insofar instead into inward is isn't it it's its itself j just k keep keeps "
    "kept know knows known l largely last lately later latter latterly least less lest let let's "
    "like liked likely little look looking looks lt ltd m made make mainly man many may maybe me "
    "mean meantime meanwhile merely might more moreover most mostly much must my myself n namely "
    "nbsp nd near nearly necessary need needs neither never nevertheless new next nine no nobody "
    "non none nonetheless noone nor normally not nothing now nowhere o obviously of off often oh "
    "ok okay old on once one ones only onto or other others otherwise ought our ours ourselves "
    "out outside over overall own p particular particularly per perhaps placed please plus "
    "possible possibly potentially predominantly present presumably previously primarily probably "
    "promptly provides q que quickly quite quot qv r rather rd re readily really reasonably "
    "recent recently refs reg regarding regardless regards relatively respectively resulting "
    "right s said same saw say saying says second secondly see seeing seem seemed seeming seems "
    "seen self selves sensible sent serious seriously seven several shall she she'd she'll she's "
    "should shouldn't shown shows significantly similar similarly since slightly six so some "
    "somebody somehow someone something sometime sometimes somewhat somewhere soon sorry "
    "specifically specified specify specifying still strongly sub substantially successfully such "
    "sufficiently sup sure t take taken taking tell tends th than thank thanks thanx that that'll "
    "that's that've thats the their theirs them themselves then thence there there'd there'll "
    "there're there've thereafter thereby therefore therein theres thereupon these they they'd "
    "they'll they're they've think third this thorough thoroughly those though three through "
    "throughout thru thus to together too took toward towards tried tries truly try trying twice "
    "two u un under unfortunately unless unlike unlikely until unto up upon us use used useful "
    "usefully uses using usually uucp v value various very via viz vs w want wants was wasn't way "
    "we we'd we'll we're we've welcome well went were what what'll what's what've whatever when "
    "whence whenever where where's whereafter whereas whereby wherein whereupon wherever whether "
    "which while whither who who'd who'll who's whoever whole whom whomever whose why widely will "
    "willing wish with within without wonder won't would wouldn't x y yes yet you you'd you'll "
    "you're you've your yours yourself yourselves z zero";

constexpr std::string_view kArabic =
    "إذ إذا إلا إلى إما إن إنما إنه أثناء أحد أخرى أكثر ألا أم أما أمام أن أنا أنت أنتم أنتما "
    "أنتن أنه أنها أو أول أي أيضا أين بأن بعد بعض بل بلا بن به بها بهذا بيد بين بينما تحت تكون "
    "تلك ثم جدا جميع حتى حول حيث حيثما حين خلال دون ذات ذلك ذو سوف سوى ضد ضمن عدا عدد عدم على "
    "عليه عليها عن عند عندما عنه عنها غير فإن فقد فقط فهو فوق في فيه فيها قبل قد كان كانت كل كلا "
    "كما كم كن كي كيف لا لأن لدى لدي لعل لقد لك لكل لكن لكنه لم لماذا لما لن له لها لهذا لهم لو "
    "لولا ليت ليس ليست ما ماذا متى مثل مع معه مما من منذ منه منها منهم مهما نحن نحو نعم هذا هذه "
    "هذان هل هم هما هن هنا هناك هو هؤلاء هي و وأن وإن وعلى وفي وقد وكان وكانت ولا ولكن ولم وما "
    "ومن وهذا وهو وهي يا يجب يكون يمكن";

constexpr std::string_view kCzech =
    "a aby aj ale anebo ani aniž ano asi až bez bude budem budeme budete budeš budou budu by byl "
    "byla byli bylo byly bych bys být během co což čí další dnes do ho i já jak jaká jaké jako "
    "jaký je jeho jej její jejich jemu jen jenom jenž ještě ji jí jich jím jimi jiné jiný již "
    "jsem jsi jsme jsou jste k kam každý kde kdo kdy když ke která které kterého kterou který "
    "kteří ku ma má mají máme máš mezi mě mi mít mne mnou mně moje moji může můj my na nad nám "
    "námi nás náš naše naši ne nebo neboť nebyl necht nechť něco nějaký někdo není než ní nic "
    "nich ním nimi o od ode on ona oni ono ony pak po pod podle pokud pouze právě pro proč prostě "
    "proti proto protože před přede přes při s sám se si sice skoro snad své svých svým svůj ta "
    "tak také takže tam tato te té tebe tebou tedy těch tem těm ten tento teď to tobě tohle toho "
    "tohoto tom tomto tomu tomuto toto tu tuto tvá tvé tvoje tvůj ty tyto tím tímto u už v vám "
    "vámi vás váš vaše ve vedle více však všechno všech vy z za zda zde ze že";

constexpr std::string_view kDanish =
    "af alle alt anden andet andre at bare begge blev blive bliver da de dem den denne der deres "
    "derfor det dette dig din dine disse dit dog du efter ej eller en end endnu er et få får fik "
    "flere for fordi forbi fra før gennem gør går ham han hans har havde have hele hen hende "
    "hendes her hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornår i "
    "ikke ind ingen intet ja jeg jer jeres jo kan kom komme kommer kun kunne lige man mange med "
    "meget mellem men mens mere mest mig min mindre mine mit mod må måtte ned nej noget nogen "
    "nogle nok nu når næsten og også om omkring op os over på samme se selv ses sig sin sine sit "
    "skal skulle som stadig står så sådan således thi til tre ud uden under var ved vi via vil "
    "ville vor vore vores være været";

constexpr std::string_view kGerman =
    "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer "
    "anderes anders auch auf aus bei beim bereits bin bis bist da dabei dadurch dafür dagegen "
    "daher damit danach dann daran darauf daraus darf darin darüber darum das dass dasselbe daß "
    "davon davor dazu dein deine deinem deinen deiner deines dem den denen denn dennoch der deren "
    "derselbe des deshalb dessen desto dich die dies diese dieselbe dieselben diesem diesen "
    "dieser dieses dir doch dort du durch dürfen ebenso eigentlich ein eine einem einen einer "
    "eines einig einige einigem einigen einiger einiges einmal er erst es etwa etwas euch euer "
    "eure eurem euren eurer eures falls für gegen gehabt gewesen gibt hab habe haben hast hat "
    "hatte hatten hattest hattet hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer "
    "ihres im immer in indem ins ist ja jede jedem jeden jeder jedes jedoch jene jenem jenen "
    "jener jenes jetzt kann kein keine keinem keinen keiner keines können könnte könnten machen "
    "man manche manchem manchen mancher manches mehr mein meine meinem meinen meiner meines mich "
    "mir mit möchte muss musste muß müssen nach nachdem neben nein nicht nichts noch nun nur ob "
    "oder ohne schon sehr sein seine seinem seinen seiner seines seit selbst sich sie sind so "
    "sobald sogar solche solchem solchen solcher solches soll sollte sollten sondern sonst sowie "
    "über um und uns unser unsere unserem unseren unserer unseres unter usw viel viele vielen vom "
    "von vor während wann war waren warst warum was weg weil weiter welche welchem welchen "
    "welcher welches wenn wer werde werden wessen wie wieder will wir wird wirst wo wobei wollen "
    "wollte worden wurde wurden würde würden z zu zum zur zwar zwischen";

constexpr std::string_view kGreek =
    "ακόμα ακόμη αλλά αλλιώς άλλα άλλες άλλη άλλο άλλοι άλλος άλλων αν ανά ανάμεσα αντί από "
    "αρκετά αυτά αυτές αυτή αυτήν αυτής αυτό αυτοί αυτόν αυτός αυτού αυτούς αυτών αφού βέβαια για "
    "γιατί δε δεν δηλαδή δια δικά δική δικό δικός εάν εγώ εδώ εκεί εκείνα εκείνη εκείνο εκείνοι "
    "εκείνος εμάς εμείς εμένα ένα έναν ένας ενός ενώ εξής επάνω επειδή επί επίσης εσάς εσείς "
    "εσένα εσύ έτσι έχει έχουμε έχουν έχω η ή ήδη ήμουν ήταν θα ίδια ίδιο ίδιος ίσως κάθε και "
    "κάποια κάποιο κάποιοι κάποιος κάτι κατά κάτω κι κιόλας λίγο λοιπόν μα μαζί μας με μέσα μετά "
    "μεταξύ μέχρι μη μην μία μια μιας μόλις μόνο μου μπορεί μπορούν να ναι ο οι όλα όλες όλη όλο "
    "όλοι όλων όμως όποιος όποια όποιο όπου όπως όσα όσο όσοι όταν ότι ου ούτε όχι πάλι πάντα "
    "πάνω παρά περί πια πιο ποια ποιο ποιοι ποιος πολλά πολλές πολλοί πολύ που πού ποτέ πότε πριν "
    "προ προς πρέπει πως πώς σαν σας σε σου στα στη στην στης στις στο στον στου στους στων συ "
    "συν τα τη την της τι τίποτα τις το τόσο τότε του τους τούτο των ύστερα χωρίς ως ώστε είμαι "
    "είμαστε είναι είσαι είστε";

constexpr std::string_view kSpanish =
    "a acá ahí al algo alguien algún alguna algunas alguno algunos allá allí ambos ante antes "
    "aquel aquella aquellas aquello aquellos aquí aun aún aunque bajo bien cada casi como cómo "
    "con conmigo contigo contra cual cuál cuales cuando cuándo cuanto cuánto cuya cuyas cuyo "
    "cuyos de del desde donde dónde dos durante e el él ella ellas ello ellos en entonces entre "
    "era erais eran eras eres es esa esas ese eso esos esta está estaba estaban estado estáis "
    "estamos están estar estas este esto estos estoy estuvo fue fuera fueron ha había habían "
    "haber hace hacer hacia han has hasta hay he hemos hubo incluso la las le les lo los luego "
    "mas más me mediante menos mi mí mientras mis mismo misma mismas mismos mucha muchas mucho "
    "muchos muy nada nadie ni ningún ninguna ninguno no nos nosotras nosotros nuestra nuestras "
    "nuestro nuestros nunca o os otra otras otro otros para pero poca pocas poco pocos podemos "
    "poder podía por porque pudo pues puede pueden que qué quien quién quienes se sea sean según "
    "ser será serán si sí sido siempre sin sino sobre sois solamente solo sólo somos son soy su "
    "sus suya suyas suyo suyos también tampoco tan tanta tantas tanto tantos te tener tenía "
    "tenemos ti tiene tienen toda todas todavía todo todos tras tu tú tus tuvo tuya tuyo u un una "
    "unas uno unos usted ustedes vosotras vosotros vuestra vuestras vuestro vuestros y ya yo";

constexpr std::string_view kFinnish =
    "ainakin ainoastaan aivan ei eivät eli emme en eniten ennen enää eräs et että ette he heidän "
    "heille heidät heihin heillä heiltä heissä heistä heitä hän häneen hänelle hänellä häneltä "
    "hänen hänessä hänestä hänet häntä ilman itse ja jo joiden joihin joilla joille joilta joina "
    "joissa joista joita joka jokin joko jolla jolle jolta jona jonka jopa jos joskus jossa josta "
    "jota jotka jotta juuri kaikille kaikissa kaikki kanssa kautta keiden keiltä keitä kenelle "
    "kenen kenet kenessä ketkä ketä kuin kuinka kuitenkin kuka kun kunnes kuten luona lähes me "
    "meidän meidät meihin meille meillä meiltä meissä meistä meitä melko mihin miksi mikä mille "
    "millä miltä minkä minua minulla minulle minulta minun minussa minusta minut minuun minä "
    "missä mistä miten mitkä mitä mukaan muu muun muut mutta myös ne niiden niihin niille niillä "
    "niiltä niin niissä niistä niitä noin nuo nyt näiden näihin näille näissä näistä näitä nämä "
    "näin ole olen olemme olet olette oli olimme olin olisi olisivat olit olivat olla olleet "
    "ollut oma on ovat paitsi poikki sekä se sen sellainen siellä siihen siinä siitä sille sillä "
    "siltä silloin sinua sinulla sinulle sinun sinussa sinut sinä sitten sitä suhteen tai taas te "
    "teidän teidät teihin teille teillä teitä toisen toinen tuo tuohon tuon tuossa tuosta tuota "
    "tähän tälle tällä tältä tämä tämän tänä tässä tästä tätä vaan vai vaikka vain varten vielä "
    "voi voidaan voivat vuoksi yli ylös ympäri";

constexpr std::string_view kFrench =
    "à afin ai aie ainsi alors après as assez au aucun aucune aujourd aura aurait auront aussi "
    "autant autre autres aux auxquelles auxquels avaient avais avait avant avec avez avoir avons "
    "ayant beaucoup bien c ça car ce ceci cela celle celles celui cependant certain certaine "
    "certaines certains ces cet cette ceux chacun chacune chaque chez ci comme comment contre d "
    "dans de dedans dehors déjà depuis derrière des dès desquelles desquels dessous dessus devant "
    "doit doivent donc dont du duquel durant elle elles en encore entre envers es est et étaient "
    "étais était étant été être eu eux fait faire fois font furent fut grâce hors ici il ils j "
    "jamais je jusqu jusque l la là laquelle le lequel les lesquelles lesquels leur leurs lors "
    "lorsqu lorsque lui m ma mais malgré me même mêmes mes mien mienne moi moins mon n ne ni non "
    "nos notre nous on ont ou où par parce parmi pas pendant peu peut peuvent plus plusieurs "
    "plutôt pour pourquoi pourtant près presque pu puis puisqu puisque qu quand que quel quelle "
    "quelles quelqu quelque quelques quels qui quoi quoique rien s sa sans sauf se selon sera "
    "serait seront ses seulement si sien sienne sinon soi soient sois soit sommes son sont sous "
    "souvent suis sur t ta tandis tant te tel telle telles tels tes toi ton toujours tous tout "
    "toute toutefois toutes très trop tu un une vers voici voilà vos votre vous vu y";

constexpr std::string_view kHungarian =
    "a abban abból addig ahhoz ahogy ahol aki akik akit akkor alá alatt által általában amely "
    "amelyek amelyekben amelyeket amelyet amelynek ami amíg amikor amit amott annak arra arról át "
    "az azért azok azon azonban azt aztán azután azzal be bele belőle benne csak de e ebben eddig "
    "egész egy egyéb egyes egyetlen egyik egymás egyre együtt ehhez ekkor el elég ellen előbb "
    "először előtt én ennek erre ő és észre ettől ez ezek ezen ezért ezt ezzel fel felé fölött ha "
    "hanem hát hiszen hogy hogyan hol honnan hozzá ide igen így illetve ilyen ilyenkor inkább is "
    "ismét itt jól kell kellett keresztül ki kik kívül között közül le legalább legyen lehet "
    "lehetett lenne lenni lesz lett ma maga magát majd már más másik még mellett mely melyek "
    "melyik mert mi miatt míg mikor milyen minden mindenki mindent mindig mint mintha mit mivel "
    "mögött most nagyon ne neki nekem nélkül nem néha néhány nincs ők őket olyan onnan oda ott "
    "össze pedig például persze rá rajta s saját sem semmi során sok sokat számára szerint szinte "
    "talán te tehát ti több többi tovább túl ugyan ugyanis úgy úgynevezett újra után utána vagy "
    "vagyok vagyunk valaki valami valamint való van vannak vele vissza viszont volna volt voltak "
    "voltam voltunk";

constexpr std::string_view kItalian =
    "a abbia abbiamo abbiano ad agli ai al alcun alcuna alcune alcuni alcuno all alla alle allo "
    "allora altra altre altri altro anche ancora anzi avanti avere aveva avevano avendo avete "
    "avrà avrebbe avuto c che chi ci ciascuno ciò coi col colei coloro colui come con contro cosa "
    "così cui d da dagli dai dal dall dalla dalle dallo davanti degli dei del dell della delle "
    "dello dentro di dietro dopo dove dovrebbe dunque durante e è ebbe ecco ed egli entrambi "
    "entro era erano eravamo essa esse essendo essere essi esso fa fanno fare fino fra fu fuori "
    "furono già gli grazie ha hai hanno ho i il in infatti inoltre insieme invece io l la là le "
    "lei li lì lo loro lui lungo m ma mai me meno mentre mi mia mie miei mio molta molte molti "
    "molto ne né negli nei nel nell nella nelle nello nessun nessuna nessuno niente no noi non "
    "nostra nostre nostri nostro nulla o od ogni ognuno oltre oppure ora per perché perciò "
    "perfino però più poca poche pochi poco poi può possono presso prima proprio pure qua qual "
    "quale quali qualche qualcosa qualcuno quando quanta quante quanti quanto quasi quel quell "
    "quella quelle quelli quello questa queste questi questo qui quindi s sa sarà saranno sarebbe "
    "se sé secondo sei sembra sempre senza si sì sia siamo siano siete solo sono sopra "
    "soprattutto sotto sta stata state stati stato stessa stesse stessi stesso su sua sue sugli "
    "sui sul sull sulla sulle sullo suo suoi tale tali tanto te ti tra tramite troppo tu tua tue "
    "tuo tuoi tutta tutte tutti tutto un una uno v verso vi via voi vostra vostre vostri vostro";

constexpr std::string_view kDutch =
    "aan aangezien achter af al aldus alle allebei alleen alles als altijd ander andere anders "
    "bent beide ben bij binnen boven buiten daar daarbij daardoor daarin daarna daarom daarvan "
    "dan dat de deze die dit doch doen door dus echter een eens eerst eigen elk elke en enige "
    "enkele er ergens erg even ge geen geweest gewoon haar had hadden heb hebben hebt heeft hem "
    "hen het hier hierbij hij hoe hoewel hun ieder iedereen iemand iets ik immers in indien is ja "
    "je jij jou jouw jullie kan kon konden kunnen maar me meer meest men met mij mijn mits moest "
    "moet moeten na naar naast nadat niet niets niemand noch nog nooit nu of om omdat onder ons "
    "onze ook op opdat over overal reeds rond sinds slechts sommige steeds te tegen ten tenzij "
    "ter terwijl tijdens toch toe toen tot totdat tussen u uit uw van vanaf vanuit veel via vol "
    "volgens voor vooral voordat waar waarbij waardoor waarin waarom waarvan wanneer want waren "
    "was wat we weer weinig wel welk welke werd werden wezen wie wij wil worden wordt zal ze zei "
    "zeer zelf zelfs zich zichzelf zij zijn zo zoals zodat zonder zou zouden zowel zulke";

constexpr std::string_view kNorwegian =
    "alle alt altså andre annen annet at av bare begge ble blei bli blir blitt både båe da de deg "
    "dei deim deira deires dem den denne der dere deres det dette di din disse ditt du dykk "
    "dykkar då eg ein eit eitt eller elles en ene eneste enhver enn er et ett etter for fordi fra "
    "frå før gjennom gjorde gjør ha hadde han hans har hennar henne hennes her hjå ho hoe honom "
    "hoss hun hva hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor i ikke ikkje ingen "
    "ingi inkje inn inni innen ja jeg kan kom korleis korso kun kunne kva kvar kvarhelst kven kvi "
    "kvifor langs man mange me med medan meg meget mellom men mens mer mest mi min mine mitt mot "
    "mye mykje må måtte ned nei no noe noen noka noko nokon nokor nokre nå når og også om opp oss "
    "over på samme samt seg selv si sia sidan siden sin sine sitt sjøl skal skulle slik so som "
    "somme somt så sånn til um under upp ut uten utan var vart varte ved vere verte vi via vil "
    "ville vore vors vort være vært vår våre vårt å";

constexpr std::string_view kPolish =
    "a aby ach albo ale ani aż bardziej bardzo bez bo bowiem by być byli był była było były będą "
    "będzie cały chce ci cię ciebie co coś czy czyli dla dlaczego dlatego do dziś gdy gdyby gdyż "
    "gdzie go i ich ile im inna inne innego innych inny ja jak jaka jakie jako jakiś je jeden "
    "jednak jednakże jedna jego jej jemu jest jestem jeszcze jeśli jeżeli już każda każde każdy "
    "kiedy kilka kto ktoś która które którego której który których którym którzy ku lecz lub ma "
    "mają mam mi mimo między mną mnie moje może można mój mu musi my na nad nam nami nas nasz "
    "nasza nasze natomiast nawet nic nich nie niego niej niemu nigdy nim nimi niż no o obok od "
    "około on ona one oni ono oraz po pod podczas pomimo ponad ponieważ poza potem powinien przed "
    "przede przez przy raz również sam są się siebie skąd sobie swoje swój ta tak taka taki takie "
    "także tam te tego tej ten teraz też to tobą tobie toteż trzeba tu tutaj twoje twój ty tych "
    "tylko tym tymi u w wam wami was wasz według wiele więc wszystkich wszystkie wszystko właśnie "
    "we z za zawsze zaś ze został została zostały że żeby";

constexpr std::string_view kPortuguese =
    "a à acerca agora aí ainda além algo alguém algum alguma algumas alguns ali ante antes ao aos "
    "apenas apesar após aquela àquela aquelas aquele àquele aqueles aquilo aqui as às assim até "
    "através bem cada cá com como comigo conforme contra contudo da daquela daquele das de dela "
    "delas dele deles dentro depois desde dessa desse desta deste deve devem disso disto do dos e "
    "é ela elas ele eles em embora enquanto entre então era eram és essa essas esse esses está "
    "esta estamos estão estar estas estava estavam este esteja estes estive esteve estou eu faz "
    "fazer foi fomos for fora foram fosse fui há havia isso isto já la lá lhe lhes lo logo mais "
    "mas me mediante menos mesma mesmas mesmo mesmos meu meus mim minha minhas muita muitas muito "
    "muitos na nada não nas nela nele nem nenhum nenhuma nesta neste nessa nesse no nos nós nossa "
    "nossas nosso nossos num numa nunca o onde os ou outra outras outro outros para pela pelas "
    "pelo pelos perante pode podem poder pois por porém porque portanto posso pouca poucas pouco "
    "poucos própria próprio quais qual qualquer quando quanto quão quase que quê quem se seja "
    "sejam sem sempre sendo ser será serão seria seu seus si sido só sob sobre sou sua suas tal "
    "tais também tampouco tanta tanto tão te tem têm temos tendo tenha tenho ter teu teus teve ti "
    "tinha tinham toda todas todavia todo todos tu tua tuas tudo um uma umas uns vários vez você "
    "vocês vos vós vosso";

constexpr std::string_view kRomanian =
    "a abia acea aceasta această aceea acei aceia acel acela acele acelea acest acesta aceste "
    "acestea acestei acestor acestui acești aceștia acolo acum ai aia aici al ale alt alta altă "
    "alte altele altul alți am ar are aș asta astfel asupra atare atât atâta atunci au avea avem "
    "aveți avut azi ba bine că cam când care căreia căror cărora cărui căruia cât câte câteva "
    "către câți ce cea ceea cei cel cele celor ceva chiar ci cine cineva conform contra cu cui "
    "cum cumva da dacă dar dată datorită dă de deasupra deci decât deja deși despre din dintr "
    "dintre doar după ea ei el ele era erau este eu face fără fapt fi fie fiecare fiind foarte "
    "fost i iar ii il îi îl îmi împotriva în înainte înaintea încât încă între întru îți la le li "
    "lor lui m mă mai mea mei mele mereu meu mi mie mine mult multă multe mulți n ne nici "
    "niciodată nimeni nimic niște noastră noastre noi noștri nostru nouă nu o or oricare orice "
    "oricine oricum ori pe pentru peste pot poate prea prin printr printre până s sa să săi sale "
    "sau său se și sine spre sub sunt sunteți suntem ta tăi tale tău te ți ție tine toată toate "
    "tot totuși toți tu tuturor un una unde undeva unei unele uneori unii unor unu unui unul va "
    "vă vi voastră voastre voi voștri vostru vouă vom vor vreo vreun";

constexpr std::string_view kRussian =
    "а без более больше будет будто бы был была были было быть в вам вами вас ваш ваша ваше ваши "
    "весь во вот впрочем все всегда всего всей всем всех всё всю вся вы где да даже два для до "
    "другая другие другого другой его ее ей ему если есть еще ещё её ж же за затем зачем здесь и "
    "из или им ими иногда их к как какая какие какой какого каких кем ко когда кого кому конечно "
    "которая которого которое которой которую которые который которых кто куда ли либо лишь лучше "
    "между меня мне много может можно мной мои мой моя моё моего моей мы на над надо наконец нами "
    "нам нас наш наша наше наши не него нее ней нельзя нем немного нет нею неё ни нибудь никогда "
    "никто ним них ничего но ну нужно о об один одна одно одни однако он она они оно опять от "
    "перед по под после потом потому почему почти при про раз разве с сам сама сами само самый "
    "свое своего своей свои своих свой свою своя себе себя сейчас со собой совсем так такая также "
    "такие таким таких такое такой там твоя твой те тебе тебя тем теми тех теперь то тобой тогда "
    "того тоже той только том тому тот три ту тут ты у уже хоть хотя чего чей чем через что чтоб "
    "чтобы чуть чьё эта эти этим этих это этого этой этом этому этот эту я";

constexpr std::string_view kSwedish =
    "all alla allt alltså andra annan annat att av bara bland blev bli blir blivit båda dem den "
    "denna deras dess dessa det detta dig din dina dit ditt dock du där då därför efter efteråt "
    "eftersom ej eller emot en endast er era ert ett fast fick fram från få får för före förut "
    "genom gjorde gör ha hade han hans har helt henne hennes hon honom hos hur här i ibland icke "
    "igen in inga ingen inget innan inom inte ja jag ju kan kommer kring kunde kunna man med "
    "medan mellan men mer mera mest mig min mina mindre mitt mot mycket många måste ned nej ner "
    "ni nog nu när något någon några och också om oss på redan runt samma samt sedan sig sin sina "
    "sitt själv ska skall skulle snart som så sådan sådana sådant till tills trots under upp ut "
    "utan utanför utom vad var vara varför varifrån varit varje varken vars vart vem vems "
    "verkligen vi via vid vilka vilkas vilken vilket vill ville våra vår vårt är än ännu även åt "
    "över";

constexpr std::string_view kTurkish =
    "acaba ama ancak artık asla aslında az bana bazen bazı bazıları belki ben bence benden beni "
    "benim beri bile bir biraz birçok birçoğu biri birkaç birşey biz bizde bizden bize bizi bizim "
    "böyle böylece bu buna bunda bundan bunlar bunları bunların bunu bunun burada bütün çoğu çok "
    "çünkü da daha dahi de defa değil diğer diye dolayı dolayısıyla edecek eden ederek edilen "
    "edilmesi ediyor eğer en et etmek etti ettiği fakat gibi göre hala halde halen hangi hangisi "
    "hani hatta hem henüz hep hepsi her herhangi herkes hiç hiçbir için ile ilgili ise işte "
    "itibaren kadar karşı karşın kendi kendine kendini kez ki kim kime kimi kimse madem mi mı mu "
    "mü nasıl ne neden nedenle nerde nerede nereye neyse niçin niye o olan olarak oldu olduğu "
    "olduğunu olduklarını olmadı olması olmayan olmak olsa olsun olup olur ona ondan onlar onlara "
    "onlardan onları onların onu onun orada oysa öyle pek rağmen sadece sanki sen senden seni "
    "senin siz sizden sizi sizin sonra şayet şey şeyler şimdi şöyle şu şuna şunda şundan şunları "
    "şunu şunun tarafından tüm üzere var ve veya veyahut ya yani yapılan yerine yine yoksa yok "
    "zaten zira";

constexpr StopWordData kData[] = {
    {"en", kEnglish},   {"ar", kArabic},  {"cs", kCzech},     {"da", kDanish},  {"de", kGerman},
    {"el", kGreek},     {"es", kSpanish}, {"fi", kFinnish},   {"fr", kFrench},  {"hu", kHungarian},
    {"it", kItalian},   {"nl", kDutch},   {"no", kNorwegian}, {"pl", kPolish},  {"pt", kPortuguese},
    {"ro", kRomanian},  {"ru", kRussian}, {"sv", kSwedish},   {"tr", kTurkish}, {"nb", kNorwegian},
    {"nn", kNorwegian},
};

}  // namespace

std::span<const StopWordData> stop_word_data() { return kData; }

}  // namespace dowser
