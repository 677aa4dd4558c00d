// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.UnreadablePayloadException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the media type that a message's header names with those that a serializer reads: without
 * parameters, in any case. One with a suffix, such as {@code application/vnd.shop.order+json}, is
 * also what its suffix says (RFC 6839). No header says nothing, nor does an empty one, nor {@code
 * application/octet-stream}: that the payload is bytes. Thread-safe.
 */
public final class MediaTypes {

  /** Says that the payload is bytes, and not of what kind. */
  private static final String BYTES = "application/octet-stream";

  private MediaTypes() {}

  /**
   * Requires that a serializer reads what a header names: some formats would make wrong values of
   * any bytes.
   *
   * @param type what is read, for the error's text
   * @param header null where there is none, which says nothing
   * @throws UnreadablePayloadException {@code OUT-015} if not
   */
  static void require(PayloadSerializer reader, TypeVersion type, @Nullable String header) {
    if (isOther(reader.contentTypes(), header)) {
      throw new UnreadablePayloadException(
          ErrorCode.UNREADABLE_PAYLOAD,
          "a payload of "
              + type
              + " is "
              + Printable.value(header)
              + ", as its header "
              + Events.CONTENT_TYPE
              + " says, and the serializer reads "
              + String.join(", ", new TreeSet<>(reader.contentTypes()))
              + "; if it reads that, too, let its contentTypes() say so");
    }
  }

  /**
   * Returns whether a header names another media type than these.
   *
   * @param read what the serializer reads
   * @param header its value; null where there is none
   * @throws io.outledger.ConfigurationException {@code OUT-021} if {@code read} is null
   */
  public static boolean isOther(Set<String> read, @Nullable String header) {
    Require.nonNull("read", read);
    return !saysNothing(header) && !isAmong(read, header);
  }

  /**
   * Returns whether a header names one of these media types.
   *
   * @param header its value; null where there is none
   * @throws io.outledger.ConfigurationException {@code OUT-021} if {@code read} is null
   */
  public static boolean isOneOf(Set<String> read, @Nullable String header) {
    Require.nonNull("read", read);
    return !saysNothing(header) && isAmong(read, header);
  }

  private static boolean saysNothing(@Nullable String header) {
    String named = named(header);
    return named.isEmpty() || named.equals(BYTES);
  }

  private static String named(@Nullable String header) {
    return header == null ? "" : essence(header);
  }

  private static boolean isAmong(Set<String> read, @Nullable String header) {
    String named = named(header);
    String suffix = "application/" + named.substring(named.lastIndexOf('+') + 1);
    return read.stream()
        .map(MediaTypes::essence)
        .anyMatch(each -> each.equals(named) || (named.contains("+") && each.equals(suffix)));
  }

  private static String essence(String mediaType) {
    int parameters = mediaType.indexOf(';');
    return (parameters < 0 ? mediaType : mediaType.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}
