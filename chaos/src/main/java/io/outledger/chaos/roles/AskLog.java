// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.VerbText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What an operator asks for, taken down before it asks and again when the answer is there, so that
 * one that was killed between can ask again with the same id.
 *
 * @param file where it is taken down: lines with tabs between their fields, and a full stop last
 */
public record AskLog(Path file) {

  /** Who asks, by the audit. */
  static final String WHO = "the operator of the run";

  private static final String WHY = "to be seen doing so";
  private static final String ASKED = "asked";
  private static final String ANSWERED = "answered";

  /**
   * A request.
   *
   * @param id its id
   * @param verb what was asked for
   * @param times how often it was asked with this id
   * @param beganMs when it was asked for first, by the clock that all processes here share
   * @param answeredMs when it was answered first; 0 for never
   */
  public record Asked(UUID id, Verb verb, int times, long beganMs, long answeredMs) {

    /** Returns whether nobody knows whether it was so much as noted. */
    public boolean isOpen() {
      return answeredMs == 0;
    }

    /** Returns the request, as often as it is asked. */
    Request request() {
      return verb.by(WHO, WHY).withId(id);
    }

    private Asked again() {
      return new Asked(id, verb, times + 1, beganMs, answeredMs);
    }

    private Asked answered(long atMs) {
      return answeredMs > 0 ? this : new Asked(id, verb, times, beganMs, atMs);
    }
  }

  /** Returns a request with a new id that is not taken down yet. */
  static Asked of(Verb verb) {
    Request request = verb.by(WHO, WHY);
    return new Asked(request.id(), verb, 1, now(), 0);
  }

  void asks(Asked one) {
    Reader reader = one.verb().reader();
    write(
        ASKED,
        one.id().toString(),
        Long.toString(now()),
        VerbText.name(one.verb()),
        reader.kind().stored(),
        reader.name(),
        VerbText.selection(one.verb()));
  }

  void answered(Asked one) {
    write(ANSWERED, one.id().toString(), Long.toString(now()));
  }

  /** Reads all whole lines, in the order in which the requests came; none without a file. */
  public List<Asked> read() {
    if (!Files.exists(file)) {
      return List.of();
    }
    Map<UUID, Asked> all = new LinkedHashMap<>();
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .map(line -> line.split("\t", -1))
          .filter(fields -> fields[fields.length - 1].equals("."))
          .forEach(fields -> read(fields, all));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(all.values());
  }

  private static void read(String[] fields, Map<UUID, Asked> all) {
    UUID id = UUID.fromString(fields[1]);
    long atMs = Long.parseLong(fields[2]);
    if (fields[0].equals(ANSWERED)) {
      all.computeIfPresent(id, (same, one) -> one.answered(atMs));
    } else {
      all.merge(id, new Asked(id, verb(id, fields), 1, atMs, 0), (one, same) -> one.again());
    }
  }

  private static Verb verb(UUID id, String[] fields) {
    Reader reader = new Reader(Reader.Kind.of(fields[4]), fields[5], 0);
    RequestStatus status =
        new RequestStatus(
            id,
            fields[3],
            reader,
            fields[6],
            WHO,
            WHY,
            Instant.EPOCH,
            RequestState.WAITING,
            0,
            null,
            null,
            "",
            Instant.EPOCH);
    byte[] content = {}; // of a revision alone, for which nobody asks here
    return VerbText.read(new RequestRow(status, null, Instant.EPOCH, content)).orElseThrow();
  }

  /** A line that a process tore when it was killed is ended by the next one. */
  private void write(String... fields) {
    try {
      Files.writeString(file, "\n" + String.join("\t", fields) + "\t.", CREATE, APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long now() {
    return Clock.systemUTC().millis();
  }
}
