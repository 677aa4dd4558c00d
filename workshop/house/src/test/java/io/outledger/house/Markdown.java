// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** One Markdown file, read no further than the rules need. */
record Markdown(Path path, String text) {
  private static final Pattern FENCE =
      Pattern.compile("^```([^\\n]*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

  static List<Markdown> all() {
    return ProjectFiles.endingIn(".md").stream().map(Markdown::at).toList();
  }

  static Markdown at(Path path) {
    return new Markdown(path, ProjectFiles.read(path));
  }

  /** The content of the fenced blocks of a language. */
  List<String> blocks(String language) {
    return FENCE
        .matcher(text)
        .results()
        .filter(block -> block.group(1).strip().equals(language))
        .map(block -> block.group(2))
        .toList();
  }

  /** Where links lead that stay inside the project. */
  List<String> links() {
    return LINK.matcher(prose())
        .results()
        .map(link -> link.group(1))
        .filter(target -> !target.matches("[a-z]+:.*"))
        .toList();
  }

  List<String> headings() {
    return HEADING.matcher(prose()).results().map(heading -> heading.group(1)).toList();
  }

  /** Whether a heading has this anchor: lower case, no punctuation, hyphens for blanks. */
  boolean hasAnchor(String anchor) {
    return headings().stream()
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", ""))
        .anyMatch(heading -> heading.replace(' ', '-').equals(anchor));
  }

  private String prose() {
    return FENCE.matcher(text).replaceAll((MatchResult block) -> "");
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
