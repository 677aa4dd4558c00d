// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who may log in at a broker's second listener, by SASL/PLAIN. Whoever comes by the first one is a
 * superuser without a name: the broker itself and a test's own eyes.
 *
 * @param passwords by user
 */
record KafkaAccounts(Map<String, String> passwords) {
  private static final Pattern SECURED = Pattern.compile("SECURED://([^,]+)");

  /** The settings that open the listener and refuse what no rule allows; none without accounts. */
  Map<String, String> settings(int port, int controllerPort) {
    if (passwords.isEmpty()) {
      return Map.of();
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(
        "listeners",
        "CLIENT://127.0.0.1:%d,SECURED://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(port, Ports.free(), controllerPort));
    settings.put(
        "listener.security.protocol.map",
        "CLIENT:PLAINTEXT,SECURED:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("sasl.enabled.mechanisms", "PLAIN");
    settings.put("listener.name.secured.plain.sasl.jaas.config", login());
    settings.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.put("super.users", "User:ANONYMOUS");
    return settings;
  }

  private String login() {
    StringBuilder login = new StringBuilder();
    login.append("org.apache.kafka.common.security.plain.PlainLoginModule required");
    passwords.forEach(
        (user, password) -> login.append(" user_%s=\"%s\"".formatted(user, password)));
    return login.append(';').toString();
  }

  /** Where that listener is, by a broker's settings. */
  static String address(Map<String, String> settings) {
    Matcher found = SECURED.matcher(settings.getOrDefault("listeners", ""));
    if (!found.find()) {
      throw new IllegalStateException("this broker was started without accounts");
    }
    return found.group(1);
  }
}
