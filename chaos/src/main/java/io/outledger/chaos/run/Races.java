// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.roles.RoleSettings;
import io.outledger.chaos.shop.Cast;
import io.outledger.chaos.shop.Shop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Counts the messages that came to the inbox from both consumer groups at the same time: each had
 * the message in its hands before the other had done with it.
 */
final class Races {

  private final Map<String, Batch> hands = new HashMap<>();
  private final Set<String> raced = new HashSet<>();

  private record Batch(long begin, long end) {
    boolean overlaps(Batch other) {
      return begin <= other.end && other.begin <= end;
    }
  }

  private Races() {}

  static long count(Shop shop) {
    Cast cast = shop.cast();
    if (!cast.isRaced()) {
      return 0;
    }
    Races races = new Races();
    String alone = cast.consumers().get(cast.consumers().size() - 1);
    read(file(shop, alone), races::take);
    cast.consumers().stream()
        .filter(name -> !name.equals(alone))
        .forEach(name -> read(file(shop, name), races::compare));
    return races.raced.size();
  }

  private void take(String id, Batch batch) {
    hands.putIfAbsent(id, batch); // what comes again later meets a message that is done
  }

  private void compare(String id, Batch batch) {
    Batch other = hands.get(id);
    if (other != null && other.overlaps(batch)) {
      raced.add(id);
    }
  }

  private interface Reader {
    void take(String id, Batch batch);
  }

  private static Path file(Shop shop, String consumer) {
    return shop.history(consumer).resolveSibling(consumer + RoleSettings.BATCHES);
  }

  private static void read(Path file, Reader reader) {
    if (!Files.exists(file)) {
      return;
    }
    try (Stream<String> lines = Files.lines(file)) {
      lines.filter(line -> line.endsWith(" .")).forEach(line -> readLine(line, reader));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void readLine(String line, Reader reader) {
    String[] words = line.split(" ", -1);
    Batch batch = new Batch(Long.parseLong(words[0]), Long.parseLong(words[1]));
    for (int i = 2; i < words.length - 1; i++) {
      reader.take(words[i], batch);
    }
  }
}
