#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "judge/signature/train_library.h"

// The parts of `dowser signature`, and the options that they and `dowser learn signatures` share.

namespace dowser {

int signature_keywords_command(CommandLine);
int signature_learn_command(CommandLine);
int signature_hits_command(CommandLine);
int signature_refine_command(CommandLine);
int signature_cluster_command(CommandLine);

// Which documents to read, and how they are split into words.
struct DocumentOptions {
  std::vector<std::string> web;
  std::string synonyms_file;
  SignatureSettings settings;
};
void add_web_option(Arguments& arguments, DocumentOptions& options);
void add_text_options(Arguments& arguments, DocumentOptions& options);
void add_keyword_options(Arguments& arguments, SignatureLibraryOptions& options);
void add_learn_options(Arguments& arguments, SignatureLibraryOptions& options);
void add_refine_options(Arguments& arguments, SignatureLibraryOptions& options);

// Reads --synonyms into the settings.
Status read_synonyms(DocumentOptions& options);

// The words of all documents of some places, with progress on a terminal.
Result<SignatureDocuments> read_documents(const std::vector<std::string>& places,
                                          const DocumentOptions& options);

}  // namespace dowser
