// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The process of one entrant: does what the lines of its input say, and answers each by a line. */
final class EntrantMain {

  static final String FAILED = "failed";

  private final Entrant entrant;
  private @Nullable Application publishing;

  private EntrantMain(Entrant entrant) {
    this.entrant = entrant;
  }

  /**
   * Works until its input ends.
   *
   * @param args the entrant
   */
  public static void main(String[] args) throws IOException {
    EntrantMain self = new EntrantMain(Entrant.of(args[0]));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(self.answer(line.split(" ", -1)));
    }
    // Whatever a library left running ends here.
    System.exit(0);
  }

  private String answer(String[] words) {
    try {
      return carryOut(words[0], Arrays.copyOfRange(words, 1, words.length)).line();
    } catch (Exception | LinkageError | AssertionError e) {
      LoggerFactory.getLogger(EntrantMain.class).error("{} failed", entrant.id(), e);
      return FAILED;
    }
  }

  private Reply carryOut(String verb, String[] args) throws Exception {
    switch (verb) {
      case "fill" -> {
        Backlog.write(entrant.factory(), args[0], Integer.parseInt(args[1]));
        return new Reply();
      }
      case "drain" -> {
        return new DrainTurn(entrant, Long.parseLong(args[3]))
            .run(args[0], Integer.parseInt(args[1]), Long.parseLong(args[2]))
            .reply();
      }
      case "settle" -> {
        SettledMessages.lay(entrant, args[0], Integer.parseInt(args[1]));
        return new Reply();
      }
      case "age" -> {
        return new AgedTurn(entrant, EntrantBurden.valueOf(args[1]), args[0])
            .run(AgedTurn.Length.of(args[2], args[3], args[4]), Long.parseLong(args[5]))
            .reply();
      }
      case "write" -> {
        return new WriteTurn(entrant.factory(), args[0])
            .run(Long.parseLong(args[1]), Integer.parseInt(args[2]));
      }
      case "time" -> {
        return new TimedApplication(entrant.factory(), args[0]).together(Integer.parseInt(args[1]));
      }
      case "time-writing" -> {
        return new TimedApplication(entrant.factory(), args[0])
            .writing(Integer.parseInt(args[1]), Path.of(args[2]));
      }
      case "publish" -> {
        publishing = new TimedApplication(entrant.factory(), args[0]).publishing(Path.of(args[1]));
        return new Reply();
      }
      case "rest" -> {
        if (publishing != null) {
          publishing.close();
        }
        return new Reply();
      }
      default -> throw new IllegalArgumentException("nobody can " + verb);
    }
  }
}
