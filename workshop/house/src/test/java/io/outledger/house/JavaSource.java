// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** One Java file as its author wrote it: parsed, but not compiled. */
final class JavaSource {
  private static final Pattern LOG_CALL = Pattern.compile("\\.(log|trace|debug|info|warn|error)$");

  private final Path path;
  private final String text;
  private final CompilationUnitTree unit;
  private final SourcePositions positions;
  private final DocTrees docs;

  private JavaSource(InMemory file, CompilationUnitTree unit, DocTrees docs) {
    this.path = file.path;
    this.text = file.text;
    this.unit = unit;
    this.docs = docs;
    this.positions = docs.getSourcePositions();
  }

  static List<JavaSource> all() {
    return parse(
        ProjectFiles.endingIn(".java").stream()
            .map(path -> new InMemory(path, ProjectFiles.read(path)))
            .toList());
  }

  static JavaSource of(Path path, String text) {
    return parse(List.of(new InMemory(path, text))).get(0);
  }

  /** All at once, since a compiler is slow to make. */
  private static List<JavaSource> parse(List<InMemory> files) {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, files);
    DocTrees docs = DocTrees.instance(task);
    Map<URI, InMemory> byUri =
        files.stream().collect(Collectors.toMap(InMemory::toUri, Function.identity()));
    List<JavaSource> sources = new ArrayList<>();
    try {
      for (CompilationUnitTree unit : task.parse()) {
        InMemory file = Objects.requireNonNull(byUri.get(unit.getSourceFile().toUri()));
        sources.add(new JavaSource(file, unit, docs));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sources;
  }

  /** Relative to the project's root. */
  Path path() {
    return path;
  }

  String text() {
    return text;
  }

  List<String> lines() {
    return text.lines().toList();
  }

  String packageName() {
    return unit.getPackageName() == null ? "" : unit.getPackageName().toString();
  }

  /** The folder of the module that the file is in. */
  String module() {
    return path.toString().replaceFirst("/src/.*", "");
  }

  boolean isMain() {
    return path.startsWith(Path.of(module()).resolve("src/main"));
  }

  boolean isPackageInfo() {
    return path.endsWith("package-info.java");
  }

  /** The names of all types that the file declares, nested ones included. */
  List<String> typeNames() {
    List<String> names = new ArrayList<>();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitClass(ClassTree type, Void unused) {
        names.add(type.getSimpleName().toString());
        return super.visitClass(type, null);
      }
    }.scan(unit, null);
    return names;
  }

  /** Every method and constructor that the author wrote. */
  List<Method> methods() {
    List<Method> methods = new ArrayList<>();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree method, Void unused) {
        methods.add(method(method));
        return super.visitMethod(method, null);
      }
    }.scan(unit, null);
    return methods;
  }

  private Method method(MethodTree method) {
    long begin = line(positions.getStartPosition(unit, method));
    long end = line(positions.getEndPosition(unit, method));
    boolean compact =
        method.getReturnType() == null
            && method.getParameters().stream().anyMatch(this::hasNoPlaceOfItsOwn);
    return new Method(
        method.getName().toString(),
        Math.toIntExact(end - begin + 1),
        compact ? 0 : method.getParameters().size());
  }

  /** The parameters of a compact constructor are the record's, and not written again. */
  private boolean hasNoPlaceOfItsOwn(VariableTree parameter) {
    return positions.getEndPosition(unit, parameter) < 0
        || !text.substring(
                Math.toIntExact(positions.getStartPosition(unit, parameter)),
                Math.toIntExact(positions.getEndPosition(unit, parameter)))
            .contains(parameter.getName());
  }

  /** What is called or referred to as {@code receiver.name}, such as {@code Thread.sleep}. */
  boolean refersTo(String receiver, String name) {
    List<Tree> found = new ArrayList<>();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMemberSelect(MemberSelectTree select, Void unused) {
        boolean same = select.getIdentifier().contentEquals(name);
        if (same && select.getExpression().toString().matches("(.*\\.)?" + receiver)) {
          found.add(select);
        }
        return super.visitMemberSelect(select, null);
      }
    }.scan(unit, null);
    return !found.isEmpty();
  }

  /** The texts in the code that are no part of a call's argument behind this first argument. */
  List<String> textsNotBehind(String first) {
    List<String> found = new ArrayList<>();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitLiteral(LiteralTree literal, Void unused) {
        if (literal.getValue() instanceof String value && !isBehind(getCurrentPath(), first)) {
          found.add(value);
        }
        return null;
      }
    }.scan(unit, null);
    return found;
  }

  /** Whether it, or the sum of texts that it is part of, is an argument behind that first one. */
  private static boolean isBehind(TreePath place, String first) {
    TreePath argument = place;
    while (argument.getParentPath().getLeaf() instanceof BinaryTree
        || argument.getParentPath().getLeaf() instanceof ParenthesizedTree) {
      argument = argument.getParentPath();
    }
    return argument.getParentPath().getLeaf() instanceof MethodInvocationTree call
        && call.getArguments().indexOf(argument.getLeaf()) > 0
        && call.getArguments().get(0).toString().equals(first);
  }

  /** The lines of a log that have more or fewer places than values; a trace needs no place. */
  List<String> unevenLogLines() {
    List<String> found = new ArrayList<>();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethodInvocation(MethodInvocationTree call, Void unused) {
        if (LOG_CALL.matcher(call.getMethodSelect().toString()).find() && isUneven(call)) {
          found.add(path + ": " + call.getArguments());
        }
        return super.visitMethodInvocation(call, null);
      }
    }.scan(unit, null);
    return found;
  }

  private static boolean isUneven(MethodInvocationTree call) {
    List<? extends Tree> arguments = call.getArguments();
    if (arguments.isEmpty() || !arguments.get(0).toString().contains("\"")) {
      return false;
    }
    int values = arguments.size() - 1;
    boolean hasTrace = arguments.get(values).toString().startsWith("Printable.trace(");
    int places = arguments.get(0).toString().split("\\{}", -1).length - 1;
    return places != values - (hasTrace ? 1 : 0);
  }

  /** What is seen from outside the package and has no Javadoc of its own. */
  List<String> undocumented() {
    Undocumented scanner = new Undocumented();
    scanner.scan(unit, null);
    return scanner.found;
  }

  private long line(long position) {
    return unit.getLineMap().getLineNumber(position);
  }

  @Override
  public String toString() {
    return path.toString();
  }

  /**
   * A method or constructor.
   *
   * @param parameters none for a record's compact constructor
   */
  record Method(String name, int lines, int parameters) {}

  private static final class InMemory extends SimpleJavaFileObject {
    private final Path path;
    private final String text;

    InMemory(Path path, String text) {
      super(URI.create("memory:///" + path), JavaFileObject.Kind.SOURCE);
      this.path = path;
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private final class Undocumented extends TreePathScanner<Void, Void> {
    private final List<String> found = new ArrayList<>();

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      if (!isSeen(type.getModifiers().getFlags())) {
        return null;
      }
      check(type.getSimpleName());
      return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      boolean overrides =
          method.getModifiers().getAnnotations().stream()
              .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
      boolean written = positions.getEndPosition(unit, method) >= 0;
      boolean test = method.getModifiers().getAnnotations().toString().contains("@Test");
      if (isSeen(method.getModifiers().getFlags()) && written && !overrides && !test) {
        check(method.getName());
      }
      return null;
    }

    private boolean isSeen(Set<Modifier> modifiers) {
      TreePath parent = getCurrentPath().getParentPath();
      boolean inInterface =
          parent.getLeaf().getKind() == Tree.Kind.INTERFACE
              && !modifiers.contains(Modifier.PRIVATE);
      return inInterface
          || modifiers.contains(Modifier.PUBLIC)
          || modifiers.contains(Modifier.PROTECTED);
    }

    private void check(CharSequence name) {
      TreePath place = getCurrentPath();
      if (docs.getDocComment(place) == null && !isCompactConstructor(place)) {
        found.add(path + ": " + name);
      }
    }

    private boolean isCompactConstructor(TreePath place) {
      return place.getLeaf() instanceof MethodTree method
          && method.getReturnType() == null
          && place.getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
    }
  }
}
