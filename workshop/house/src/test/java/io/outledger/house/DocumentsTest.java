// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents say is there, and what is there is said. */
class DocumentsTest {
  private static final Pattern CODE = Pattern.compile("OUT-\\d+");
  private static final List<Markdown> DOCUMENTS = Markdown.all();

  @Test
  void everyLinkLeadsSomewhere() {
    assertThat(DOCUMENTS.stream().flatMap(DocumentsTest::deadLinks)).isEmpty();
  }

  @Test
  void everyErrorCodeIsExplainedUnderAHeadingOfItsOwn() {
    Stream<String> explained =
        Markdown.at(Path.of("docs", "errors.md")).headings().stream()
            .flatMap(heading -> CODE.matcher(heading).results().map(MatchResult::group));

    assertThat(explained).containsExactlyInAnyOrderElementsOf(codes());
  }

  @Test
  void everyErrorCodeHasARemedy() {
    String[] sections = ProjectFiles.read(Path.of("docs", "errors.md")).split("(?m)^## ", -1);

    assertThat(sections).hasSize(codes().size() + 1);
    assertThat(Arrays.stream(sections).skip(1))
        .allSatisfy(section -> assertThat(section).contains("**Do:**"));
  }

  @Test
  void noDocumentSpeaksOfACodeThatIsNot() {
    List<String> codes = codes();

    assertThat(DOCUMENTS)
        .allSatisfy(
            document ->
                assertThat(CODE.matcher(document.text()).results().map(MatchResult::group))
                    .as(document.toString())
                    .isSubsetOf(codes));
  }

  @Test
  void theSchemaInTheDocumentsIsTheOneInTheJar() {
    List<String> scripts =
        ProjectFiles.endingIn(".sql").stream()
            .filter(path -> path.toString().contains("src/main/resources"))
            .map(ProjectFiles::read)
            .toList();

    assertThat(DOCUMENTS)
        .allSatisfy(
            document ->
                assertThat(
                        document.blocks("sql").stream()
                            .filter(DocumentsTest::createsSomethingOfOurs))
                    .as(document.toString())
                    .allSatisfy(
                        block ->
                            assertThat(scripts)
                                .as(block)
                                .anyMatch(script -> script.contains(block.strip()))));
  }

  @Test
  void everyJavaBlockIsInAProgramThatIsCompiled() {
    List<String> programs =
        ProjectFiles.endingIn(".java").stream()
            .map(ProjectFiles::read)
            .map(DocumentsTest::withoutSpace)
            .toList();

    assertThat(DOCUMENTS)
        .filteredOn(document -> document.path().startsWith("docs"))
        // PlainPageTest compiles it.
        .filteredOn(document -> !document.path().equals(PlainPrograms.PAGE))
        .allSatisfy(
            document ->
                assertThat(document.blocks("java"))
                    .as(document.toString())
                    .allSatisfy(
                        block ->
                            assertThat(programs)
                                .as(block)
                                .anyMatch(program -> program.contains(withoutSpace(block)))));
  }

  @Test
  void theListOfDocumentsNamesEachOfThem() {
    String list = ProjectFiles.read(Path.of("docs", "README.md"));

    assertThat(DOCUMENTS.stream().map(Markdown::path))
        .filteredOn(path -> path.startsWith("docs") && path.getNameCount() == 2)
        .map(path -> path.getFileName().toString())
        .filteredOn(name -> !name.equals("README.md"))
        .allSatisfy(name -> assertThat(list).contains(name));
  }

  private static String withoutSpace(String text) {
    return text.replaceAll("\\s", "");
  }

  private static boolean createsSomethingOfOurs(String sql) {
    return Pattern.compile(
            "CREATE (TABLE|INDEX|VIEW|SEQUENCE|FUNCTION) (IF NOT EXISTS )?\\S*outledger_")
        .matcher(sql)
        .find();
  }

  private static List<String> codes() {
    return Arrays.stream(ErrorCode.values()).map(ErrorCode::code).toList();
  }

  private static Stream<String> deadLinks(Markdown document) {
    return document.links().stream()
        .filter(link -> !isAlive(document, link))
        .map(link -> document + " -> " + link);
  }

  private static boolean isAlive(Markdown document, String link) {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target =
        file.isEmpty() ? document.path() : document.path().resolveSibling(file).normalize();
    if (!Files.exists(ProjectFiles.root().resolve(target))) {
      return false;
    }
    return hash < 0 || Markdown.at(target).hasAnchor(link.substring(hash + 1));
  }
}
