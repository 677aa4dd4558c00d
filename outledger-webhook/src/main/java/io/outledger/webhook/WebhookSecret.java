// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that sender and receiver of webhooks share, and the signatures made with it: HMAC-SHA256
 * as the Standard Webhooks specification describes it ("Signature scheme"), over the id, the time
 * of sending and the body. Immutable and thread-safe; never printed.
 */
public final class WebhookSecret {

  private static final String PREFIX = "whsec_";
  private static final String VERSION = "v1,";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES_MIN = 24;
  private static final int BYTES_MAX = 64;

  private final SecretKeySpec key;

  private WebhookSecret(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  /**
   * Reads a secret in the form in which Standard Webhooks exchange it.
   *
   * @param text {@code whsec_} followed by 24 to 64 random bytes in Base64, as {@code openssl rand
   *     -base64 32} makes them; the prefix may be missing
   * @throws ConfigurationException {@code OUT-021} if it is null or not of this form
   */
  public static WebhookSecret of(String text) {
    String given = Require.nonNull("text", text).strip();
    byte[] bytes = decoded(given.startsWith(PREFIX) ? given.substring(PREFIX.length()) : given);
    if (bytes.length < BYTES_MIN || bytes.length > BYTES_MAX) {
      throw invalid("has " + bytes.length + " bytes");
    }
    return new WebhookSecret(bytes);
  }

  /** Returns the signature's entry in the header, with the version before it. */
  String sign(String id, String timestamp, byte[] body) {
    return VERSION + Base64.getEncoder().encodeToString(mac(id, timestamp, body));
  }

  /**
   * Says whether one of the entries of a signature's header was made with this secret. The body,
   * which may be large and a stranger's, is read once, however many entries there are.
   */
  boolean matchesAny(List<String> entries, String id, String timestamp, byte[] body) {
    byte[] own = sign(id, timestamp, body).getBytes(UTF_8);
    boolean matches = false;
    for (String entry : entries) {
      // In constant time: how long it takes must not tell how much of a guess was right.
      matches |= MessageDigest.isEqual(own, entry.getBytes(UTF_8));
    }
    return matches;
  }

  private byte[] mac(String id, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw invalid("is not Base64"); // without the cause, whose text quotes it
    }
  }

  private static ConfigurationException invalid(String problem) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "the webhook secret "
            + problem
            + "; it must be whsec_ and 24 to 64 random bytes in Base64, such as the output of"
            + " 'openssl rand -base64 32'");
  }

  /** Says what it is, without the secret. */
  @Override
  public String toString() {
    return "WebhookSecret[hidden]";
  }
}
