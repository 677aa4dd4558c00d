// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Require;
import io.outledger.event.EventType;
import io.outledger.event.Events;
import io.outledger.event.TypeVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on stored payloads: what was written once must be read by today's classes, or messages
 * that are on their way lose fields. A folder of the project contains them, one payload a file:
 * {@code order.placed.v1.json}, or with a label {@code order.placed.v1.before-gift.json}; {@code
 * .bin} in place of {@code .json} where payloads are no JSON. Not thread-safe.
 */
public final class PayloadsAssert extends AbstractAssert<PayloadsAssert, Events> {

  PayloadsAssert(Events actual) {
    super(actual, PayloadsAssert.class);
  }

  /**
   * Requires that every registered type and version has a payload under a folder, that each payload
   * there can be read, and that each of its fields is one of today's class: a field that was
   * renamed keeps its former name as an alias. Of each type, one payload must have every field that
   * the class is created from; the others may be older and lack some. A version that is read by an
   * {@linkplain EventType.Builder#upcast upcast}, or split, needs a payload of its own, which only
   * today's class must not lose a field of.
   *
   * @param folder the folder, such as {@code src/test/payloads}; folders below it are not looked at
   * @throws AssertionError with every file and field that does not fit
   */
  public PayloadsAssert readsPayloadsUnder(Path folder) {
    Readings readings = new Readings();
    for (Path path : PayloadFile.under(Require.nonNull("folder", folder))) {
      PayloadFile.of(path)
          .ifPresentOrElse(
              readings::add,
              () ->
                  readings.problems.add(
                      path.getFileName() + ": its name is not " + PayloadFile.NAMES));
    }
    actual.types().all().forEach(readings::checkComplete);
    actual.types().all().forEach(readings::checkOlder);
    if (!readings.problems.isEmpty()) {
      throw failure(
          "Expected today's events to be read from the payloads under %s:%s",
          folder, listed(readings.problems));
    }
    return this;
  }

  /**
   * Writes the payload of each sample whose type and version has no file yet under a folder, and
   * then fails, so that somebody looks at the files and commits them. Files that are there stay as
   * they are.
   *
   * @param folder the folder, such as {@code src/test/payloads}; it is created if need be
   * @param samples an event of each type, with a value in every field
   * @throws AssertionError if it wrote a file
   */
  public PayloadsAssert writesPayloadsUnder(Path folder, Object... samples) {
    Require.nonNull("folder", folder);
    List<String> written = new ArrayList<>();
    for (Object sample : Require.nonNull("samples", samples)) {
      Message message = actual.message(Require.nonNull("sample", sample));
      Path file = folder.resolve(name(message));
      if (!Files.exists(file)) {
        write(file, message.payload());
        written.add(file.getFileName().toString());
      }
    }
    if (!written.isEmpty()) {
      throw failure(
          "These payloads had no file under %s, and have been written. Look at them, and commit"
              + " them:%s",
          folder, listed(written));
    }
    return this;
  }

  private static String name(Message message) {
    String media = message.headers().getOrDefault(Events.CONTENT_TYPE, "");
    return PayloadFile.name(
        message.type(),
        message.version(),
        media.endsWith("json") ? PayloadFile.JSON : PayloadFile.BINARY);
  }

  private static void write(Path file, byte[] payload) {
    try {
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.write(file, payload);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String listed(List<String> lines) {
    return lines.stream().map(each -> "\n  " + each).collect(Collectors.joining());
  }

  /** What came of reading the files. */
  private final class Readings {

    private final List<String> problems = new ArrayList<>();
    private String ending = PayloadFile.JSON;
    private final Set<EventType<?>> complete = new HashSet<>();
    private final Map<EventType<?>, String> lacking = new HashMap<>();
    private final Map<EventType<?>, Set<TypeVersion>> older = new HashMap<>();

    void add(PayloadFile file) {
      ending = file.isBinary() ? PayloadFile.BINARY : ending;
      List<EventType<?>> types = actual.types().readAs(file.type(), file.version());
      if (types.isEmpty()) {
        problem(
            file,
            "no class is registered for "
                + file.type()
                + " v"
                + file.version()
                + ". If the type was renamed, name the new one formerly(\""
                + file.type()
                + "\"); if it has a later version, read this one with upcast("
                + file.version()
                + ", …); if no such message can arrive any more, delete the file");
        return;
      }
      List<String> unknown = new ArrayList<>();
      EventType<?> type;
      try {
        type = read(types, file, unknown);
      } catch (InvalidMessageException e) {
        problem(file, String.valueOf(e.getMessage()));
        types.forEach(each -> seen(each, file));
        types.forEach(each -> lacking.put(each, ""));
        return;
      }
      seen(type, file);
      if (unknown.isEmpty()) {
        if (isOwn(type, file.typeVersion())) {
          readExactly(type, file);
        }
      } else {
        lacking.put(type, "");
        problem(
            file,
            type.eventClass().getName()
                + " does not have the field "
                + String.join(", ", unknown)
                + ". If it was renamed, give the new field the former name, with Jackson by"
                + " @JsonAlias; if nobody needs it any more, delete it from the file");
      }
    }

    private EventType<?> read(List<EventType<?>> types, PayloadFile file, List<String> unknown) {
      Object event = actual.read(file.type(), file.version(), file.read(), unknown::add);
      return types.stream()
          .filter(each -> each.eventClass() == event.getClass())
          .findFirst()
          .orElse(types.get(0));
    }

    private void seen(EventType<?> type, PayloadFile file) {
      older.computeIfAbsent(type, each -> new HashSet<>()).add(file.typeVersion());
    }

    private static boolean hasName(EventType<?> type, TypeVersion read) {
      return read.name().equals(type.name()) || type.formerNames().contains(read.name());
    }

    /** Returns whether it is written by today's class, or was under a former name. */
    private static boolean isOwn(EventType<?> type, TypeVersion read) {
      return hasName(type, read) && read.version() == type.version();
    }

    /** An upcast that nothing tries is one that nobody notices to be broken. */
    void checkOlder(EventType<?> type) {
      Set<TypeVersion> files = older.getOrDefault(type, Set.of());
      Set<String> asked = new TreeSet<>();
      for (TypeVersion read : type.reads()) {
        boolean isThere =
            files.stream()
                .anyMatch(
                    file ->
                        file.version() == read.version()
                            && (file.name().equals(read.name())
                                || (hasName(type, file) && hasName(type, read))));
        if (!isThere && !isOwn(type, read)) {
          String name = hasName(type, read) ? type.name() : read.name();
          asked.add(PayloadFile.name(name, read.version(), ending));
        }
      }
      for (String file : asked) {
        problems.add(
            type.name()
                + " v"
                + type.version()
                + ": there is no file "
                + file
                + " that is read as "
                + type.eventClass().getName()
                + ", so nothing tries its upcast. Take the payload that the older version wrote,"
                + " for example from the history of the project");
      }
    }

    private void readExactly(EventType<?> type, PayloadFile file) {
      try {
        actual.readExactly(file.type(), file.version(), file.read());
        complete.add(type);
      } catch (InvalidMessageException e) {
        lacking.putIfAbsent(type, file.path().getFileName() + ": " + e.getMessage());
      }
    }

    void checkComplete(EventType<?> type) {
      String name = type.name() + " v" + type.version();
      String reason = lacking.get(type);
      if (complete.contains(type) || "".equals(reason)) {
        return;
      }
      if (reason == null) {
        problems.add(
            name
                + ": there is no file "
                + PayloadFile.name(type.name(), type.version(), ending)
                + "; have it written with writesPayloadsUnder(…)");
      } else {
        problems.add(
            name
                + ": no file has all fields of "
                + type.eventClass().getName()
                + ". Give the older file a label, and have a new one written with"
                + " writesPayloadsUnder(…). "
                + reason);
      }
    }

    private void problem(PayloadFile file, String what) {
      problems.add(file.path().getFileName() + ": " + what);
    }
  }
}
