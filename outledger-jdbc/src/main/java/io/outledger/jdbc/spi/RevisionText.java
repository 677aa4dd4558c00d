// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import io.outledger.Require;
import io.outledger.jdbc.admin.Revision;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A revision as the request table stores it while it is needed: bytes that are removed when the
 * request is over, and in its selection what they are and their hash, so that what was asked for
 * can be compared, and says nothing of a person.
 *
 * <p>The bytes are the headers, form-encoded, a line feed, and the payload.
 */
final class RevisionText {

  private static final String GIVES = "gives";
  private static final String HASH = "sha256";
  private static final String PAYLOAD = "payload";
  private static final String HEADERS = "headers";
  private static final String BOTH = HEADERS + " " + PAYLOAD;

  private RevisionText() {}

  static void put(Map<String, String> parts, Revision revision) {
    boolean isPayloadAlone = revision.headers() == null;
    parts.put(GIVES, isPayloadAlone ? PAYLOAD : revision.payload() == null ? HEADERS : BOTH);
    parts.put(HASH, hash(content(revision)));
  }

  static byte[] content(Revision revision) {
    Map<String, String> headers = revision.headers();
    String text = headers == null ? null : HeaderText.encode(headers);
    byte[] head = ((text == null ? "" : text) + "\n").getBytes(StandardCharsets.UTF_8);
    byte[] payload = revision.payload() == null ? new byte[0] : revision.payload();
    byte[] all = Arrays.copyOf(head, head.length + payload.length);
    System.arraycopy(payload, 0, all, head.length, payload.length);
    return all;
  }

  static Revision read(Map<String, String> parts, byte @Nullable [] content) {
    String gives = parts.getOrDefault(GIVES, "");
    if (content == null || !hash(content).equals(parts.get(HASH))) {
      throw new IllegalArgumentException("the request's content is gone, or is not its own");
    }
    int end = 0;
    while (end < content.length && content[end] != '\n') {
      end++;
    }
    if (end == content.length) {
      throw new IllegalArgumentException("the request's content has no end of its headers");
    }
    String head = new String(content, 0, end, StandardCharsets.UTF_8);
    return new Revision(
        gives.endsWith(PAYLOAD) ? Arrays.copyOfRange(content, end + 1, content.length) : null,
        gives.startsWith(HEADERS) ? HeaderText.decode(head) : null);
  }

  private static String hash(byte[] content) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(Require.nonNull("content", content));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
