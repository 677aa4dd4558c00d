// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of the house that can be read off the Java sources. */
class HouseRulesTest {
  private static final int FILE_LINES_MAX = 400;
  private static final int METHOD_LINES_MAX = 60;
  private static final int COLUMNS_MAX = 100;
  private static final int PARAMETERS_MAX = 5;
  private static final String SPDX = "// SPDX-License-Identifier: Apache-2.0";
  private static final Set<String> FORBIDDEN_WORDS =
      Set.of("Manager", "Helper", "Helpers", "Util", "Utils", "Common", "Impl", "Abstract");

  private static final Pattern FORBIDDEN_IMPORT =
      Pattern.compile(
          "^import (static )?(org.mockito|org.easymock|org.assertj.core.api.Assumptions"
              + "|org.junit.jupiter.api.(Disabled|Assumptions|condition))\\b",
          Pattern.MULTILINE);

  /** A failure's text may come from outside; a logger prints it as it is, a quiet log does not. */
  private static final Pattern RAW_TRACE =
      Pattern.compile("\\bLOG\\s*\\.(?!fails\\()\\w+\\([^;]*,\\s*(e|error|failure|thrown)\\);");

  /** A line follows the name of its logger or its subject, so only a product's name is capital. */
  private static final Pattern CAPITAL_LINE =
      Pattern.compile(
          "\\b(LOG\\s*\\.\\w+\\(|log\\s*\\.(say|fails)\\([^;]{0,200}?->)\\s*\""
              + "(?!Kafka|RabbitMQ)[A-Z]");

  /** A setter's parameter is called value; it is then the setter that is named. */
  private static final Pattern UNNAMED_ARGUMENT =
      Pattern.compile(
          "Require\\.nonNull\\(\\s*\"(?![^\"]*\\.)([^\"]*)\",\\s*(?!\\1\\))(?!value\\))\\w+\\)");

  /**
   * What a format writes as the default locale does. For a whole number, {@code %s} writes the
   * digits 0 to 9 everywhere.
   */
  private static final Pattern LOCALE_DEPENDENT =
      Pattern.compile("%(\\d+\\$)?[-#+ 0,(]*\\d*(\\.\\d+)?[deEfgGStT]");

  /** Who may sleep, and why. It only ever shrinks. */
  private static final Map<String, String> SLEEPERS =
      Map.of(
          "workshop/servers/src/main/java/io/outledger/servers/Await.java",
          "a server that is another process says only to those who ask again that it is ready");

  private static final List<JavaSource> SOURCES = JavaSource.all();

  @Test
  void aFileIsShort() {
    assertThat(SOURCES).filteredOn(source -> source.lines().size() > FILE_LINES_MAX).isEmpty();
  }

  @Test
  void aMethodIsShort() {
    assertThat(everyMethod(method -> method.lines() > METHOD_LINES_MAX)).isEmpty();
  }

  @Test
  void aMethodTakesFewParameters() {
    assertThat(everyMethod(method -> method.parameters() > PARAMETERS_MAX)).isEmpty();
  }

  @Test
  void aLineIsNarrow() {
    assertThat(SOURCES.stream().flatMap(HouseRulesTest::wideLines)).isEmpty();
  }

  @Test
  void errorOfANullArgumentNamesTheParameter() {
    assertThat(SOURCES)
        .filteredOn(source -> UNNAMED_ARGUMENT.matcher(source.text()).find())
        .isEmpty();
  }

  @Test
  void everyFileNamesItsLicence() {
    assertThat(SOURCES).filteredOn(source -> !source.text().startsWith(SPDX + "\n")).isEmpty();
  }

  @Test
  void everyPackageSaysWhyItExistsAndMarksItsNulls() {
    Set<String> said =
        SOURCES.stream()
            .filter(JavaSource::isPackageInfo)
            .filter(source -> source.text().matches("(?s).*/\\*\\*.*\\*/\\s*@NullMarked\\s.*"))
            .map(JavaSource::packageName)
            .collect(toCollection(TreeSet::new));

    assertThat(SOURCES).filteredOn(source -> !said.contains(source.packageName())).isEmpty();
  }

  @Test
  void aPackageBelongsToOneModule() {
    Map<String, Set<String>> modules =
        SOURCES.stream()
            .filter(JavaSource::isMain)
            .collect(
                groupingBy(
                    JavaSource::packageName,
                    mapping(JavaSource::module, toCollection(TreeSet::new))));

    assertThat(modules).allSatisfy((name, owners) -> assertThat(owners).as(name).hasSize(1));
  }

  @Test
  void aNameSaysWhatAThingIs() {
    assertThat(SOURCES)
        .filteredOn(
            source ->
                source.typeNames().stream()
                    .flatMap(name -> Arrays.stream(name.split("(?=[A-Z])", -1)))
                    .anyMatch(FORBIDDEN_WORDS::contains))
        .isEmpty();
    assertThat(SOURCES)
        .filteredOn(source -> source.packageName().matches(".*\\.(util|common|impl|helper)s?\\b.*"))
        .isEmpty();
  }

  @Test
  void nobodySleeps() {
    assertThat(SOURCES.stream().filter(HouseRulesTest::sleeps).map(JavaSource::toString))
        .containsExactlyInAnyOrderElementsOf(SLEEPERS.keySet());
  }

  @Test
  void numbersAndCaseAreTheSameInEveryLocale() {
    assertThat(
            SOURCES.stream()
                .filter(HouseRulesTest::isPublished)
                .flatMap(HouseRulesTest::localeDependent))
        .isEmpty();
  }

  @Test
  void noTestIsSkippedAndNothingIsMocked() {
    assertThat(SOURCES)
        .filteredOn(source -> FORBIDDEN_IMPORT.matcher(source.text()).find())
        .isEmpty();
  }

  @Test
  void aFailureIsMadePrintableBeforeItIsLogged() {
    assertThat(SOURCES)
        .filteredOn(HouseRulesTest::isPublished)
        .filteredOn(source -> RAW_TRACE.matcher(source.text()).find())
        .isEmpty();
  }

  @Test
  void aLogLineBeginsWithASmallLetter() {
    assertThat(
            SOURCES.stream()
                .filter(HouseRulesTest::isPublished)
                .filter(source -> CAPITAL_LINE.matcher(source.text()).find())
                .map(JavaSource::toString))
        .isEmpty();
  }

  @Test
  void aLogLineHasAPlaceForEachValue() {
    assertThat(
            SOURCES.stream()
                .filter(HouseRulesTest::isPublished)
                .flatMap(source -> source.unevenLogLines().stream()))
        .isEmpty();
  }

  @Test
  void everythingSeenFromOutsideIsDocumented() {
    assertThat(SOURCES.stream().filter(HouseRulesTest::isPublished).flatMap(this::undocumented))
        .isEmpty();
  }

  @Test
  void everyScriptNamesItsLicence() {
    assertThat(
            Stream.of(
                    "verify",
                    "mvnw",
                    "outledger",
                    ".ci/run",
                    "benchmarks/run",
                    "proof/fresh-project",
                    "proof/reproducible")
                .map(Path::of))
        .filteredOn(script -> Files.exists(ProjectFiles.root().resolve(script)))
        .allSatisfy(
            script ->
                assertThat(ProjectFiles.read(script).lines().limit(2))
                    .contains(SPDX.replace("//", "#")));
  }

  private Stream<String> undocumented(JavaSource source) {
    return source.undocumented().stream();
  }

  private static boolean isPublished(JavaSource source) {
    return source.isMain() && source.module().startsWith("outledger-");
  }

  private static boolean sleeps(JavaSource source) {
    return source.refersTo("Thread", "sleep")
        || source.refersTo("(TimeUnit\\.)?[A-Z]+", "sleep")
        || source.refersTo("LockSupport", "parkNanos");
  }

  private static Stream<String> localeDependent(JavaSource source) {
    return Stream.concat(
        source.textsNotBehind("Locale.ROOT").stream()
            .filter(text -> LOCALE_DEPENDENT.matcher(text).find())
            .map(text -> source + ": " + text),
        Stream.of("toUpperCase()", "toLowerCase()")
            .filter(source.text()::contains)
            .map(call -> source + ": " + call));
  }

  private static Stream<String> wideLines(JavaSource source) {
    return source.lines().stream()
        .filter(line -> line.codePointCount(0, line.length()) > COLUMNS_MAX)
        .filter(line -> !line.startsWith("import "))
        .map(line -> source + ": " + line);
  }

  private static Stream<String> everyMethod(Predicate<JavaSource.Method> condition) {
    return SOURCES.stream()
        .flatMap(
            source ->
                source.methods().stream().filter(condition).map(method -> source + ": " + method));
  }
}
