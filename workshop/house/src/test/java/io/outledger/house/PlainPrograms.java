// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The Java blocks of docs/plain.md as a reader would copy them: each into a file of its own.
 *
 * @param folder where the files and their classes lie
 * @param names of the types that the blocks declare, in their order
 */
record PlainPrograms(Path folder, List<String> names) {
  static final Path PAGE = Path.of("docs", "plain.md");

  private static final Pattern TYPE =
      Pattern.compile(
          "^(?:public )?(?:final )?(?:class|record|interface|enum) (\\w+)", Pattern.MULTILINE);
  private static final Pattern SWITCH = Pattern.compile("(?<=^java )-D\\S+", Pattern.MULTILINE);

  static PlainPrograms copyTo(Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    for (String block : Markdown.at(PAGE).blocks("java")) {
      Matcher type = TYPE.matcher(block);
      if (!type.find()) {
        throw new IllegalStateException("Not a whole program, as it declares no type:\n" + block);
      }
      names.add(type.group(1));
      Files.writeString(folder.resolve(type.group(1) + ".java"), block);
    }
    return new PlainPrograms(folder, names);
  }

  /** Returns the compiler's complaints, its warnings among them; nothing when there are none. */
  String compile() {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--release", "17", "-Xlint:all,-path", "-proc:none"));
    arguments.addAll(List.of("-cp", classPath(), "-d", folder.toString()));
    names.forEach(name -> arguments.add(folder.resolve(name + ".java").toString()));
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    compiler.run(null, null, complaints, arguments.toArray(String[]::new));
    return complaints.toString(UTF_8);
  }

  /** The programs among them: those with a main method. */
  List<String> runnable() throws IOException {
    List<String> runnable = new ArrayList<>();
    for (String name : names) {
      if (Files.readString(folder.resolve(name + ".java")).contains("void main(String")) {
        runnable.add(name);
      }
    }
    return runnable;
  }

  /** The switches of the JVM in the page's command. */
  static List<String> switches() {
    return SWITCH.matcher(Markdown.at(PAGE).text()).results().map(MatchResult::group).toList();
  }

  /** The programs' own classes, and all of ours. */
  String programClassPath() {
    return folder + File.pathSeparator + classPath();
  }

  private static String classPath() {
    return System.getProperty("java.class.path");
  }
}
