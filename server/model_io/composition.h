// A model from its file and from all files that this includes.
#pragma once

#include "server/model_io/located_finding.h"
#include "server/model_io/message_builder.h"
#include "server/model_io/model_syntax.h"

#include "tactus/v1/model.pb.h"

#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

/// Reads texts and puts their elements together; knows from which file and line each element came.
class Composition {
 public:
  /// @param root  folder of the model file, out of which no file is read; none: files are refused
  explicit Composition(std::optional<std::filesystem::path> root) : root_(std::move(root)) {}

  /// Reads the text of the model file and what it includes into `model`, and makes it plain: see resolve.h.
  /// @returns false if a text could not be read to its end
  bool read(std::string_view text, ModelSyntax syntax, v1::Model& model);

  /// Adds a finding on `path` of the composed model, at the file and line of its declaration, unless a finding there
  /// explains it.
  void add(const rt::Finding& finding);

  /// Whether an error at a path of the composed model, in it or around it has been found.
  bool hasErrorAt(const std::string& path) const;

  /// In the order of files and lines.
  std::vector<LocatedFinding> takeFindings();

 private:
  /// Where an element is declared.
  struct Source {
    std::size_t file;
    std::string path;  ///< "bodies[3]"
  };
  using Sources = std::map<std::string, std::vector<Source>>;  ///< for each list of the model

  struct File {
    std::string name;  ///< from root; empty: the model file
    v1::Model model;
    MessageBuilder builder;

    File(std::string file, ModelSyntax syntax) : name(std::move(file)), builder(model, syntax) {}
  };

  /// What one file and its includes amount to.
  struct Part {
    v1::Model model;
    Sources sources;
  };

  bool readPart(std::size_t file, std::string_view text, ModelSyntax syntax, int depth, Part& part);
  void readFiles(std::size_t file, Part& part);
  bool include(std::size_t file, int index, const v1::Include& entry, int depth, Part& part);
  void applyOverrides(const v1::Include& entry, const std::string& path, std::size_t file, Part& child);
  bool placeChild(const v1::Include& entry, const std::string& path, std::size_t file, const v1::Model& host,
                  v1::Model& child);
  /// Leaves out the targets of parameters that would set gravity, with a warning.
  void dropGravityTargets(Part& child, std::size_t file);
  static void append(Part& child, Part& part);
  void addAt(std::size_t file, const rt::Finding& finding);
  void addAll(std::vector<rt::Finding> findings, const Part& part, std::size_t file);
  Source sourceOf(const Sources& sources, const std::string& path, std::size_t file) const;

  std::optional<std::filesystem::path> root_;
  std::deque<File> files_;         ///< pointers into them stay
  std::vector<std::string> open_;  ///< names of the files that are being read, each included by the one before
  Sources sources_;
  std::vector<std::pair<std::size_t, LocatedFinding>> findings_;  ///< with the index of their file
};

}  // namespace tactus::server
