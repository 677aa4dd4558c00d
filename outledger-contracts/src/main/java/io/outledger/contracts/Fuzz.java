// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Draws what a stranger may send: headers that are nearly those of a CloudEvent, text and bytes of
 * every kind. The same seed draws the same. For one thread.
 */
public final class Fuzz {

  private static final String[] ATTRIBUTES = {"specversion", "id", "source", "type"};
  private static final String[] PIECES = {
    "a",
    "ce_",
    "\t",
    "\r\n",
    "\0",
    "\u0001",
    "\u0085",
    "\uFFFE",
    "\uD83D\uDE00",
    "é",
    "%",
    ":",
    " ",
    "=",
    "\"",
    "NATS/1.0",
    "_AMQ_",
    "x-",
    "2147483648",
    "-1",
    "<![CDATA[",
    "${jndi:x}",
    "1e999"
  };
  private static final int LONG_MAX = 70_000;

  private final Random random;
  private long drawn;

  /**
   * Creates it.
   *
   * @param random where all of it comes from
   */
  public Fuzz(Random random) {
    this.random = random;
  }

  /** Returns a number from 0 on. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns true once in so many times. */
  public boolean isOneIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** Returns one of these. */
  @SafeVarargs
  public final <T> T oneOf(T... all) {
    return all[random.nextInt(all.length)];
  }

  /** Returns a number of any size: small, of a power of two or beside it, or any. */
  public int number() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(16);
      case 1 -> (1 << random.nextInt(32)) - random.nextInt(3);
      case 2 -> -random.nextInt(16);
      default -> random.nextInt();
    };
  }

  /** Returns text that protocols forbid, or that says something to a server; now and then long. */
  public String text() {
    StringBuilder text = new StringBuilder();
    int pieces = random.nextInt(6);
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return isOneIn(50) ? text + "x".repeat(random.nextInt(LONG_MAX)) : text.toString();
  }

  /**
   * Returns text as {@link #text} does, without what the given expression matches: for protocols
   * whose senders cannot even say it.
   */
  public String textWithout(String expression) {
    return text().replaceAll(expression, "");
  }

  /** Returns bytes of any value, fewer than given. */
  public byte[] bytes(int max) {
    byte[] bytes = new byte[random.nextInt(max)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns a copy with some bytes flipped, cut off, repeated or put in. */
  public byte[] mutated(byte[] given) {
    byte[] bytes = given.clone();
    int times = 1 + random.nextInt(4);
    for (int i = 0; i < times && bytes.length > 0; i++) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes[at] = oneOf((byte) 0, (byte) -1, (byte) 127, (byte) -128);
        case 2 -> bytes = Arrays.copyOf(bytes, at);
        default -> bytes = joined(bytes, at, bytes(20));
      }
    }
    return bytes;
  }

  private static byte[] joined(byte[] bytes, int at, byte[] more) {
    byte[] all = new byte[bytes.length + more.length];
    System.arraycopy(bytes, 0, all, 0, at);
    System.arraycopy(more, 0, all, at, more.length);
    System.arraycopy(bytes, at, all, at + more.length, bytes.length - at);
    return all;
  }

  /**
   * Returns headers of a CloudEvent, of which some are missing, odd or too many. The id of one that
   * can be read is no other's.
   *
   * @param prefix of the attributes, such as {@code ce_}
   * @param odd draws odd names and values
   */
  public Map<String, String> headers(String prefix, Supplier<String> odd) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(prefix + "specversion", "1.0");
    headers.put(prefix + "id", "fuzz-" + ++drawn);
    headers.put(prefix + "source", "/stranger");
    headers.put(prefix + "type", "order.placed");
    int faults = random.nextInt(4);
    for (int i = 0; i < faults; i++) {
      String attribute = prefix + ATTRIBUTES[random.nextInt(ATTRIBUTES.length)];
      switch (random.nextInt(5)) {
        case 0 -> headers.remove(attribute);
        case 1 -> headers.put(attribute, odd.get() + (attribute.endsWith("id") ? drawn : ""));
        case 2 -> headers.put(prefix + oneOf("time", "subject", "dataschema"), odd.get());
        case 3 -> headers.put(odd.get(), odd.get());
        default -> many(headers, odd);
      }
    }
    return headers;
  }

  private void many(Map<String, String> headers, Supplier<String> odd) {
    if (isOneIn(10)) {
      String value = odd.get();
      int count = random.nextInt(1_500);
      for (int i = 0; i < count; i++) {
        headers.put("h" + i, value.substring(0, Math.min(10, value.length())));
      }
    }
  }
}
