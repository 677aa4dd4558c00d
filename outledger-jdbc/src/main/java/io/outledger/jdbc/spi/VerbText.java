// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import io.outledger.inbox.InboxId;
import io.outledger.jdbc.admin.CancelScheduled;
import io.outledger.jdbc.admin.DeliverNow;
import io.outledger.jdbc.admin.Divide;
import io.outledger.jdbc.admin.Move;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.ReplayRange;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.ResumeReplay;
import io.outledger.jdbc.admin.Skip;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;
import io.outledger.store.Declaration;
import io.outledger.store.ParkedPlace;
import io.outledger.store.ParkedState;
import io.outledger.store.PauseScope;
import io.outledger.store.Start;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A verb as the request table stores it: its name, its reader, and the rest as one bounded text.
 */
public final class VerbText {

  /** The most characters of a selection. */
  public static final int SELECTION_CHARS_MAX = 40_000;

  private static final Map<Class<? extends Verb>, String> NAMES =
      Map.ofEntries(
          Map.entry(Verb.Retry.class, "retry"),
          Map.entry(Verb.Discard.class, "discard"),
          Map.entry(Move.class, "move"),
          Map.entry(Skip.class, "skip"),
          Map.entry(Verb.Delete.class, "delete"),
          Map.entry(Verb.Pause.class, "pause"),
          Map.entry(Verb.Replay.class, "replay"),
          Map.entry(Verb.Rename.class, "rename"),
          Map.entry(Verb.Erase.class, "erase"),
          Map.entry(Verb.Revise.class, "revise"),
          Map.entry(Verb.Forget.class, "forget"),
          Map.entry(CancelScheduled.class, "cancel-scheduled"),
          Map.entry(DeliverNow.class, "deliver-now"),
          Map.entry(Verb.Resume.class, "resume"),
          Map.entry(Verb.EndDeclaration.class, "end-declaration"),
          Map.entry(ResumeReplay.class, "resume-replay"),
          Map.entry(Divide.class, "divide"));

  private VerbText() {}

  /** Returns the verb's name, such as {@code move}. */
  public static String name(Verb verb) {
    return Objects.requireNonNull(NAMES.get(Require.nonNull("verb", verb).getClass()));
  }

  /**
   * Returns what a verb says besides its name and reader.
   *
   * @throws ConfigurationException {@code OUT-021} if it is too long
   */
  public static String selection(Verb verb) {
    String text = HeaderText.encode(parts(Require.nonNull("verb", verb)));
    if (text != null && text.length() > SELECTION_CHARS_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the request's selection has "
              + text.length()
              + " characters but must have "
              + SELECTION_CHARS_MAX
              + " at most; ask in several requests");
    }
    return text == null ? "" : text;
  }

  private static Map<String, String> parts(Verb verb) {
    Map<String, String> parts = new TreeMap<>();
    if (verb instanceof Verb.Retry retry) {
      put(parts, retry.which(), retry.pace());
    } else if (verb instanceof Verb.Discard discard) {
      put(parts, discard.which(), discard.pace());
    } else if (verb instanceof Verb.OfPlace placed) {
      put(parts, placed);
    } else if (verb instanceof Verb.EndDeclaration end) {
      parts.put("route", end.declared().route());
      parts.put("takes", end.declared().takes().name());
      parts.put("what", end.declared().what());
    } else if (verb instanceof Verb.Pause pause) {
      put(parts, pause.what());
    } else if (verb instanceof Verb.Resume resume) {
      put(parts, resume.what());
    } else if (verb instanceof Verb.Replay replay) {
      put(parts, replay);
    } else if (verb instanceof Verb.Rename rename) {
      put(parts, "route", rename.route());
      parts.put("to", rename.to());
    } else if (verb instanceof Verb.Erase erase) {
      put(parts, "id", erase.id());
      put(parts, "key", erase.key());
    } else if (verb instanceof CancelScheduled cancel) {
      put(parts, "id", cancel.id());
      put(parts, "name", cancel.name());
    } else if (verb instanceof DeliverNow now) {
      put(parts, "id", now.id());
      put(parts, "name", now.name());
    } else if (verb instanceof Verb.Revise revise) {
      put(parts, new Which.Place(revise.place()), Pace.UNLIMITED);
      RevisionText.put(parts, revise.to());
    } else if (verb instanceof Verb.Forget forget) {
      put(parts, forget);
    } else if (verb instanceof ResumeReplay resume) {
      put(parts, "id", resume.replay());
    } else if (verb instanceof Divide divide) {
      parts.put("partitions", Integer.toString(divide.partitions()));
    }
    return parts;
  }

  /**
   * Returns what a verb says at length, and that is kept beside its selection until it is over;
   * null where there is nothing.
   */
  public static byte @Nullable [] content(Verb verb) {
    return Require.nonNull("verb", verb) instanceof Verb.Revise revise
        ? RevisionText.content(revise.to())
        : null;
  }

  private static void put(Map<String, String> parts, Verb.Forget forget) {
    int i = 0;
    for (InboxId id : new TreeSet<>(forget.messages())) {
      parts.put("id." + i, id.id());
      parts.put("source." + i, id.source());
      i++;
    }
  }

  private static void put(Map<String, String> parts, Which which, Pace pace) {
    if (which instanceof Which.Place one) {
      parts.put("position", Long.toString(one.place().position()));
      parts.put("route", one.place().route());
      parts.put("id", one.place().id().toString());
    } else if (which instanceof Which.Numbered one) {
      parts.put("number", Long.toString(one.number()));
    } else if (which instanceof Which.Selected all) {
      ParkedSelection selection = all.selection();
      ParkedState state = selection.state();
      put(parts, "state", state == null ? null : state.name().toLowerCase(Locale.ROOT));
      put(parts, "route", selection.route());
      put(parts, "type", selection.type());
      put(parts, "topic", selection.topic());
      put(parts, "key", selection.key());
      put(parts, "error", selection.errorText());
      put(parts, "failure", selection.failure());
      put(parts, "parkedUntil", all.parkedUntil());
      put(parts, "shown", all.shown());
    }
    put(parts, pace);
  }

  private static void put(Map<String, String> parts, Verb.Replay replay) {
    ReplayRange range = replay.range();
    parts.put("route", replay.route());
    parts.put("first", Long.toString(range.first()));
    put(parts, "last", range.last() == Long.MAX_VALUE ? null : range.last());
    put(parts, "from", range.from());
    put(parts, "until", range.until());
    put(parts, "topic", range.topic());
    put(parts, "type", range.type());
    put(parts, "key", range.key());
    if (!range.ids().isEmpty()) {
      parts.put(
          "ids",
          range.ids().stream().map(UUID::toString).sorted().collect(Collectors.joining(" ")));
    }
    put(parts, replay.pace());
    put(parts, "processAgain", replay.processAgain() ? true : null);
  }

  private static void put(Map<String, String> parts, Pace pace) {
    put(parts, "perSecond", pace.perSecond() > 0 ? pace.perSecond() : null);
    put(parts, "failuresMax", pace.failuresMax() > 0 ? pace.failuresMax() : null);
  }

  private static void put(Map<String, String> parts, Verb.OfPlace placed) {
    Start start = placed.start();
    if (start instanceof Start.AtPosition at) {
      parts.put("position", Long.toString(at.position()));
    } else if (start instanceof Start.AtTime at) {
      parts.put("time", at.time().toString());
    } else {
      parts.put("start", start instanceof Start.Now ? "now" : "earliest");
    }
    boolean again = placed instanceof Move move && move.processAgain();
    put(parts, "processAgain", again ? true : null);
  }

  private static void put(Map<String, String> parts, PauseScope scope) {
    parts.put("scope", scope.kind().stored());
    if (!scope.name().isEmpty()) {
      parts.put("name", scope.name());
    }
  }

  private static void put(Map<String, String> parts, String name, @Nullable Object value) {
    if (value != null) {
      parts.put(name, value.toString());
    }
  }

  /**
   * Reads the verb of a row.
   *
   * @return the verb; empty where this release does not know it, or anything that the row says of
   *     it: what was read is written again, and compared. Others may know it
   */
  public static Optional<Verb> read(RequestRow request) {
    RequestStatus row = Require.nonNull("request", request).status();
    try {
      Map<String, String> parts = HeaderText.decode(row.selection());
      return Optional.ofNullable(verb(request, parts)).filter(verb -> parts(verb).equals(parts));
    } catch (IllegalArgumentException
        | ConfigurationException
        | InvalidMessageException
        | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static @Nullable Verb verb(RequestRow request, Map<String, String> parts) {
    RequestStatus row = request.status();
    Reader reader = row.reader();
    return switch (row.verb()) {
      case "retry" -> new Verb.Retry(reader, which(parts), pace(parts));
      case "discard" -> new Verb.Discard(reader, which(parts), pace(parts));
      case "move" -> new Move(reader.name(), start(parts), parts.containsKey("processAgain"));
      case "skip" -> new Skip(reader.name(), start(parts));
      case "delete" -> new Verb.Delete(reader.name());
      case "pause" -> new Verb.Pause(reader.name(), scope(parts));
      case "replay" ->
          new Verb.Replay(
              reader.name(),
              given(parts, "route"),
              range(parts),
              pace(parts),
              parts.containsKey("processAgain"));
      case "rename" -> new Verb.Rename(reader, parts.get("route"), given(parts, "to"));
      case "revise" ->
          new Verb.Revise(reader.name(), place(parts), RevisionText.read(parts, request.content()));
      case "forget" -> new Verb.Forget(reader.name(), messages(parts));
      case "erase" -> new Verb.Erase(id(parts.get("id")), parts.get("key"));
      case "cancel-scheduled" -> new CancelScheduled(id(parts.get("id")), parts.get("name"));
      case "deliver-now" -> new DeliverNow(id(parts.get("id")), parts.get("name"));
      case "resume-replay" -> new ResumeReplay(reader.name(), UUID.fromString(given(parts, "id")));
      case "divide" -> new Divide(reader.name(), Integer.parseInt(given(parts, "partitions")));
      case "resume" -> new Verb.Resume(reader.name(), scope(parts));
      case "end-declaration" ->
          new Verb.EndDeclaration(
              reader,
              new Declaration(
                  given(parts, "route"),
                  Declaration.takes(given(parts, "takes")),
                  given(parts, "what")));
      default -> null;
    };
  }

  /** Returns a selection of a subscription's request in which a route has another name. */
  public static String withRoute(String selection, String from, String to) {
    Map<String, String> parts =
        new TreeMap<>(HeaderText.decode(Require.nonNull("selection", selection)));
    parts.replace("route", Require.nonNull("from", from), Require.nonNull("to", to));
    if (PauseScope.Kind.ROUTE.stored().equals(parts.get("scope"))) {
      parts.replace("name", from, to);
    }
    String text = HeaderText.encode(parts);
    return text == null ? "" : text;
  }

  private static Set<InboxId> messages(Map<String, String> parts) {
    Set<InboxId> messages = new HashSet<>();
    for (int i = 0; parts.containsKey("id." + i); i++) {
      messages.add(new InboxId(given(parts, "source." + i), given(parts, "id." + i)));
    }
    return messages;
  }

  private static ParkedPlace place(Map<String, String> parts) {
    return new ParkedPlace(
        given(parts, "route"),
        Long.parseLong(given(parts, "position")),
        UUID.fromString(given(parts, "id")));
  }

  private static Which which(Map<String, String> parts) {
    if (parts.containsKey("position")) {
      return new Which.Place(place(parts));
    }
    if (parts.containsKey("number")) {
      return new Which.Numbered(Long.parseLong(given(parts, "number")));
    }
    String state = parts.get("state");
    String until = parts.get("parkedUntil");
    String shown = parts.get("shown");
    return new Which.Selected(
        new ParkedSelection(
            state == null ? null : ParkedState.valueOf(state.toUpperCase(Locale.ROOT)),
            parts.get("route"),
            parts.get("type"),
            parts.get("topic"),
            parts.get("key"),
            parts.get("error"),
            parts.get("failure")),
        instant(until),
        shown == null ? null : Long.valueOf(shown));
  }

  private static ReplayRange range(Map<String, String> parts) {
    String last = parts.get("last");
    return new ReplayRange(
        Long.parseLong(given(parts, "first")),
        last == null ? Long.MAX_VALUE : Long.parseLong(last),
        instant(parts.get("from")),
        instant(parts.get("until")),
        parts.get("topic"),
        parts.get("type"),
        parts.get("key"),
        ids(parts.getOrDefault("ids", "")));
  }

  private static Set<UUID> ids(String text) {
    return text.isEmpty()
        ? Set.of()
        : Stream.of(text.split(" ", -1)).map(UUID::fromString).collect(Collectors.toSet());
  }

  private static @Nullable UUID id(@Nullable String text) {
    return text == null ? null : UUID.fromString(text);
  }

  private static @Nullable Instant instant(@Nullable String text) {
    return text == null ? null : Instant.parse(text);
  }

  private static Pace pace(Map<String, String> parts) {
    return new Pace(
        Integer.parseInt(parts.getOrDefault("perSecond", "0")),
        Integer.parseInt(parts.getOrDefault("failuresMax", "0")));
  }

  private static Start start(Map<String, String> parts) {
    if (parts.containsKey("position")) {
      return Start.at(Long.parseLong(given(parts, "position")));
    }
    if (parts.containsKey("time")) {
      return Start.at(Instant.parse(given(parts, "time")));
    }
    return given(parts, "start").equals("now") ? Start.NOW : Start.EARLIEST;
  }

  private static PauseScope scope(Map<String, String> parts) {
    return new PauseScope(
        PauseScope.Kind.of(given(parts, "scope")), parts.getOrDefault("name", ""));
  }

  private static String given(Map<String, String> parts, String name) {
    String value = parts.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the request's selection does not say " + name);
    }
    return value;
  }
}
