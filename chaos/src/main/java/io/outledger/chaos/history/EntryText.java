// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.history;

import io.outledger.frontier.Positions;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Entries as lines: a word and its fields, with tabs between, and a full stop at the end. Without
 * the full stop a torn line could pass for a shorter whole one.
 */
public final class EntryText {

  private static final String END = ".";
  private static final String NULL = "~";

  private EntryText() {}

  /** Returns the entry's line, without a line break. */
  public static String write(Entry entry) {
    List<String> fields = new ArrayList<>();
    fields.add(entry.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    for (var component : entry.getClass().getRecordComponents()) {
      try {
        fields.add(field(component.getAccessor().invoke(entry)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("A record's accessor failed: " + component, e);
      }
    }
    fields.add(END);
    return String.join("\t", fields);
  }

  /**
   * Reads a line.
   *
   * @return the entry, or empty where the line is torn
   * @throws IllegalArgumentException where the line is whole and means nothing
   */
  public static Optional<Entry> read(String line) {
    String[] fields = line.split("\t", -1);
    if (!fields[fields.length - 1].equals(END)) {
      return Optional.empty();
    }
    try {
      return Optional.of(entry(fields));
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("not an entry: " + line, e);
    }
  }

  private static Entry entry(String[] f) {
    return switch (f[0]) {
      case "wrote" ->
          new Entry.Wrote(nullable(f[1]), number(f[2]), id(f[3]), CommitOutcome.valueOf(f[4]));
      case "stored" -> new Entry.Stored(id(f[1]), number(f[2]));
      case "parked" -> new Entry.Parked(id(f[1]), truth(f[2]), truth(f[3]));
      case "cursor" -> new Entry.Cursor(number(f[1]), positions(f[2]));
      case "changed" -> new Entry.Changed(text(f[1]), number(f[2]), text(f[3]));
      case "arrived" -> new Entry.Arrived(text(f[1]), number(f[2]), id(f[3]));
      case "acknowledged" -> new Entry.Acknowledged(id(f[1]));
      case "overtaken" -> new Entry.Overtaken(id(f[1]), id(f[2]));
      case "released" -> new Entry.Released(id(f[1]));
      case "forgotten" -> new Entry.Forgotten(id(f[1]));
      case "discarded" -> new Entry.Discarded(id(f[1]));
      case "asked" -> new Entry.Asked(id(f[1]));
      case "unasked" -> new Entry.Unasked(id(f[1]));
      case "audited" -> new Entry.Audited(id(f[1]), truth(f[2]));
      case "crashed" -> new Entry.Crashed(text(f[1]), number(f[2]));
      case "mayrepeat" -> new Entry.MayRepeat(id(f[1]));
      case "consumes" -> new Entry.Consumes(text(f[1]));
      case "effect" -> new Entry.Effect(text(f[1]), id(f[2]));
      case "figure" -> new Entry.Figure(text(f[1]), number(f[2]), number(f[3]));
      case "left" -> new Entry.Left(text(f[1]), number(f[2]), number(f[3]));
      default -> throw new IllegalArgumentException("no such entry: " + f[0]);
    };
  }

  private static String field(@Nullable Object value) {
    if (value == null) {
      return NULL;
    }
    if (value instanceof String string) {
      return URLEncoder.encode(string, StandardCharsets.UTF_8);
    }
    if (value instanceof Positions positions) {
      return ranges(positions);
    }
    return value.toString();
  }

  private static String ranges(Positions positions) {
    long[] firsts = positions.firsts();
    long[] lasts = positions.lasts();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < firsts.length; i++) {
      text.append(i == 0 ? "" : ",").append(firsts[i]).append('-').append(lasts[i]);
    }
    return text.toString();
  }

  private static Positions positions(String field) {
    if (field.isEmpty()) {
      return Positions.NONE;
    }
    List<String> ranges = List.of(field.split(",", -1));
    return Positions.ofRanges(bounds(ranges, 0), bounds(ranges, 1));
  }

  private static long[] bounds(List<String> ranges, int side) {
    return ranges.stream()
        .flatMapToLong(r -> LongStream.of(number(r.split("-", 2)[side])))
        .toArray();
  }

  private static @Nullable String nullable(String field) {
    return field.equals(NULL) ? null : text(field);
  }

  private static String text(String field) {
    return URLDecoder.decode(field, StandardCharsets.UTF_8);
  }

  private static UUID id(String field) {
    return UUID.fromString(field);
  }

  private static boolean truth(String field) {
    return Boolean.parseBoolean(field);
  }

  private static long number(String field) {
    return Long.parseLong(field);
  }
}
