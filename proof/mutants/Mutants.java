// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Reads the mutants of the chapters beside it, and applies them to copies of the sources. */
final class Mutants {

  private static final Pattern TITLE = Pattern.compile("## ([a-z0-9-]+)");
  private static final Pattern CAUGHT_BY = Pattern.compile("Caught by: (.+)");
  private static final Pattern ANCHOR = 
      Pattern.compile("@@ (?:([a-z0-9-]+)/)?((?:\\w+\\.)+)([\\w<>]+)");
  private static final String RESULTS = "RESULTS.md";

  /** A change of one method or field: what to look for there, and what to put in its place. */
  private record Change(
      String module, String type, String member, String before, String after) {

    String place() {
      return type + "." + member;
    }
  }

  /** One plausible bug. */
  private record Mutant(String name, Path chapter, List<String> caughtBy, List<Change> changes) {}

  /** A stretch of a source. */
  private record Span(int from, int to) {}

  /** What is wrong with a mutant. */
  private static final class Stale extends RuntimeException {
    private Stale(String message) {
      super(message);
    }
  }

  private final Path root;
  private final List<Mutant> mutants = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final Map<String, List<Path>> sources;
  private final Map<Path, Map<String, List<Span>>> members = new LinkedHashMap<>();

  private Mutants(Path root) throws IOException {
    this.root = root;
    try (Stream<Path> chapters = Files.list(root.resolve("proof/mutants"))) {
      for (Path chapter : chapters.sorted().toList()) {
        String name = chapter.getFileName().toString();
        if (name.endsWith(".md") && !name.equals(RESULTS)) {
          read(chapter);
        }
      }
    }
    sources = javaFiles("src/main/java");
  }

  /**
   * The exit code is 0 where all is well, 1 where a mutant is stale.
   *
   * @param arguments the project's folder; then {@code check}, or {@code list}, or {@code apply},
   *     the mutant's name and the folder in which the changed sources are laid
   */
  public static void main(String[] arguments) throws IOException {
    Mutants all = new Mutants(Path.of(arguments[0]));
    switch (arguments[1]) {
      case "check" -> System.exit(all.check() ? 0 : 1);
      case "list" -> all.list();
      case "apply" -> System.exit(all.apply(arguments[2], Path.of(arguments[3])) ? 0 : 1);
      default -> throw new IllegalArgumentException(arguments[1]);
    }
  }

  private boolean check() throws IOException {
    Set<String> names = new TreeSet<>();
    Map<String, List<Path>> tests = javaFiles("src/test/java");
    Set<String> words = testNames();
    for (Mutant mutant : mutants) {
      if (!names.add(mutant.name())) {
        problems.add(mutant.name() + ": there are two of this name");
      }
      for (String test : mutant.caughtBy()) {
        String[] parts = test.split("\\.");
        if (!tests.containsKey(parts[0]) && !parts[0].equals("SimulationMain")) {
          problems.add(mutant.name() + ": there is no test class " + parts[0]);
        } else if (parts.length > 1 && !words.contains(parts[1])) {
          problems.add(mutant.name() + ": there is no test " + test);
        }
      }
      try {
        changed(mutant);
      } catch (Stale stale) {
        problems.add(mutant.name() + ": " + stale.getMessage());
      }
    }
    problems.forEach(System.out::println);
    System.out.println(mutants.size() + " mutants, " + problems.size() + " problems");
    return problems.isEmpty();
  }

  private void list() {
    mutants.forEach(m -> System.out.println(m.name() + " " + String.join(" ", m.caughtBy())));
  }

  private boolean apply(String name, Path folder) throws IOException {
    Mutant mutant = mutants.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
    try {
      for (Map.Entry<Path, String> each : changed(mutant).entrySet()) {
        Path target = folder.resolve(root.relativize(each.getKey()));
        Files.createDirectories(target.getParent());
        Files.writeString(target, each.getValue());
      }
      return true;
    } catch (Stale stale) {
      System.out.println(stale.getMessage());
      return false;
    }
  }

  private void read(Path chapter) throws IOException {
    String name = null;
    List<String> caughtBy = List.of();
    List<Change> changes = new ArrayList<>();
    List<String> anchor = null;
    for (String line : Files.readString(chapter).concat("\n## end").split("\n")) {
      Matcher title = TITLE.matcher(line);
      Matcher by = CAUGHT_BY.matcher(line);
      if (title.matches()) {
        if (name != null) {
          if (changes.isEmpty() || caughtBy.isEmpty()) {
            problems.add(name + ": has no change, or no line 'Caught by:'");
          }
          mutants.add(new Mutant(name, chapter, caughtBy, List.copyOf(changes)));
        }
        name = title.group(1);
        caughtBy = List.of();
        changes.clear();
      } else if (by.matches()) {
        caughtBy = List.of(by.group(1).replace("`", "").split(",? +"));
      } else if (line.equals("```diff")) {
        anchor = new ArrayList<>();
      } else if (anchor != null && (line.equals("```") || line.startsWith("@@ "))) {
        if (!anchor.isEmpty()) {
          change(name, anchor, changes);
        }
        anchor = line.equals("```") ? null : new ArrayList<>(List.of(line));
      } else if (anchor != null) {
        anchor.add(line);
      }
    }
  }

  private void change(String name, List<String> lines, List<Change> changes) {
    Matcher where = ANCHOR.matcher(lines.get(0).strip());
    if (!where.matches()) {
      problems.add(name + ": '" + lines.get(0) + "' is not '@@ Class.method'");
      return;
    }
    String type = where.group(2);
    changes.add(
        new Change(
            where.group(1) == null ? "" : "outledger-" + where.group(1),
            type.substring(0, type.length() - 1),
            where.group(3),
            without('+', lines),
            without('-', lines)));
  }

  private static String without(char sign, List<String> lines) {
    return lines.stream()
        .skip(1)
        .filter(line -> line.isEmpty() || line.charAt(0) != sign)
        .map(line -> line.isEmpty() ? line : line.substring(1))
        .collect(Collectors.joining("\n"));
  }

  /** Returns the sources that a mutant changes, as they are with it. */
  private Map<Path, String> changed(Mutant mutant) throws IOException {
    Map<Path, TreeMap<Integer, String[]>> edits = new LinkedHashMap<>();
    for (Change change : mutant.changes()) {
      Path file = source(change);
      Span span = place(file, change);
      String[] edit = {Integer.toString(span.to()), change.after()};
      if (edits.computeIfAbsent(file, f -> new TreeMap<>()).put(span.from(), edit) != null) {
        throw new Stale("two changes begin at one place in " + change.place());
      }
    }
    Map<Path, String> changed = new LinkedHashMap<>();
    for (Map.Entry<Path, TreeMap<Integer, String[]>> each : edits.entrySet()) {
      StringBuilder text = new StringBuilder(Files.readString(each.getKey()));
      each.getValue()
          .descendingMap()
          .forEach((from, edit) -> text.replace(from, Integer.parseInt(edit[0]), edit[1]));
      changed.put(each.getKey(), text.toString());
    }
    return changed;
  }

  private Path source(Change change) {
    String outer = change.type().split("\\.")[0];
    List<Path> found =
        sources.getOrDefault(outer, List.of()).stream()
            .filter(
                file ->
                    change.module().isEmpty()
                        || root.relativize(file).toString().startsWith(change.module() + "/"))
            .toList();
    if (found.size() != 1) {
      throw new Stale("there are " + found.size() + " classes " + outer + ", of " + change.place());
    }
    return found.get(0);
  }

  /** Returns where in a source the snippet stands, whatever the white space. */
  private Span place(Path file, Change change) throws IOException {
    Map<String, List<Span>> ofFile = members.get(file);
    if (ofFile == null) {
      ofFile = membersOf(file);
      members.put(file, ofFile);
    }
    List<Span> spans = ofFile.get(change.place());
    if (spans == null) {
      throw new Stale("there is no " + change.place());
    }
    String text = Files.readString(file);
    String wanted = change.before().replaceAll("\\s", "");
    List<Span> found = new ArrayList<>();
    for (Span span : spans) {
      find(text, span, wanted, found);
    }
    if (found.size() != 1) {
      throw new Stale(
          change.place() + " has this " + found.size() + " times:\n" + change.before().indent(4));
    }
    return found.get(0);
  }

  private static void find(String text, Span span, String wanted, List<Span> found) {
    StringBuilder dense = new StringBuilder();
    List<Integer> offsets = new ArrayList<>();
    for (int i = span.from(); i < span.to(); i++) {
      if (!Character.isWhitespace(text.charAt(i))) {
        dense.append(text.charAt(i));
        offsets.add(i);
      }
    }
    if (wanted.isEmpty()) {
      return;
    }
    for (int at = dense.indexOf(wanted); at >= 0; at = dense.indexOf(wanted, at + 1)) {
      found.add(new Span(offsets.get(at), offsets.get(at + wanted.length() - 1) + 1));
    }
  }

  /** Returns the methods, constructors and fields of a source; those of one name are together. */
  private static Map<String, List<Span>> membersOf(Path file) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Map<String, List<Span>> found = new LinkedHashMap<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  d -> {},
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjects(file));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        for (Tree type : unit.getTypeDecls()) {
          addMembers("", type, unit, positions, found);
        }
      }
    }
    return found;
  }

  private static void addMembers(
      String outer,
      Tree tree,
      CompilationUnitTree unit,
      SourcePositions positions,
      Map<String, List<Span>> found) {
    if (!(tree instanceof ClassTree type)) {
      return;
    }
    String name = outer + type.getSimpleName();
    for (Tree member : type.getMembers()) {
      addMembers(name + ".", member, unit, positions, found);
      String simple = null;
      if (member instanceof MethodTree method) {
        simple = method.getName().toString();
      } else if (member instanceof VariableTree field) {
        simple = field.getName().toString();
      }
      int from = (int) positions.getStartPosition(unit, member);
      int to = (int) positions.getEndPosition(unit, member);
      if (simple != null && from >= 0 && to > from) {
        found.computeIfAbsent(name + "." + simple, n -> new ArrayList<>()).add(new Span(from, to));
      }
    }
  }

  private Map<String, List<Path>> javaFiles(String folder) throws IOException {
    Map<String, List<Path>> found = new TreeMap<>();
    for (Path module : modules()) {
      if (Files.isDirectory(module.resolve(folder))) {
        try (Stream<Path> files = Files.walk(module.resolve(folder))) {
          for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
            String name = file.getFileName().toString().replace(".java", "");
            found.computeIfAbsent(name, n -> new ArrayList<>()).add(file);
          }
        }
      }
    }
    return found;
  }

  /** Returns the modules that Outledger's users get; no other is changed. */
  private List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.list(root)) {
      return folders.filter(f -> f.getFileName().toString().startsWith("outledger-")).toList();
    }
  }

  /** Returns the names of all test methods, also of those in contracts. */
  private Set<String> testNames() throws IOException {
    Pattern test = Pattern.compile("void (\\w+)\\(");
    List<Path> files = new ArrayList<>();
    javaFiles("src/test/java").values().forEach(files::addAll);
    try (Stream<Path> shipped = Files.walk(root.resolve("outledger-contracts/src/main/java"))) {
      shipped.filter(f -> f.toString().endsWith(".java")).forEach(files::add);
    }
    Set<String> names = new LinkedHashSet<>();
    for (Path file : files) {
      test.matcher(Files.readString(file)).results().forEach(found -> names.add(found.group(1)));
    }
    return names;
  }
}
