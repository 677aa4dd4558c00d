// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker's second listener, which speaks TLS. */
final class KafkaTls {
  private static final Pattern TLS = Pattern.compile("TLS://([^,]+)");

  private KafkaTls() {}

  static Map<String, String> settings(int port, int controllerPort, ServerCertificate certificate) {
    try {
      return Map.of(
          "listeners",
          "CLIENT://127.0.0.1:%d,TLS://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
              .formatted(port, Ports.free(), controllerPort),
          "listener.security.protocol.map",
          "CLIENT:PLAINTEXT,TLS:SSL,CONTROLLER:PLAINTEXT",
          "ssl.keystore.type",
          "PEM",
          "ssl.keystore.key",
          Files.readString(certificate.key()),
          "ssl.keystore.certificate.chain",
          Files.readString(certificate.certificate()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where that listener is, by a broker's settings. */
  static String address(Map<String, String> settings) {
    Matcher found = TLS.matcher(settings.getOrDefault("listeners", ""));
    if (!found.find()) {
      throw new IllegalStateException("this broker was started without a certificate");
    }
    return found.group(1);
  }
}
