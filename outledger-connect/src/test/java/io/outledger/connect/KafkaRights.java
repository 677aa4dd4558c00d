// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.servers.KafkaBroker;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What two users may do at a broker with accounts, and how a connector's clients log in as them.
 */
record KafkaRights(KafkaBroker kafka) {

  static final String PASSWORD = "secret";

  /** Who writes the records. */
  static final String SENDER = "sender";

  /** Who looks topics up. */
  static final String LOOKER = "looker";

  /** One rule; of a topic, or of a transactional id. */
  record Right(String user, AclOperation operation, ResourceType type, String name) {

    static Right topic(String user, AclOperation operation, String name) {
      return new Right(user, operation, ResourceType.TOPIC, name);
    }

    private AclBinding binding() {
      return new AclBinding(
          new ResourcePattern(type, name, PatternType.LITERAL),
          new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }
  }

  /** Starts a broker at which both may log in, and do nothing. */
  static KafkaRights start() {
    return new KafkaRights(
        KafkaBroker.builder().account(SENDER, PASSWORD).account(LOOKER, PASSWORD).start());
  }

  /** Allows something. */
  void allow(Collection<Right> rights) {
    List<AclBinding> bindings = rights.stream().map(Right::binding).toList();
    by(admin -> admin.createAcls(bindings).all());
  }

  /** Takes all rights away. */
  void revoke() {
    by(admin -> admin.deleteAcls(List.of(AclBindingFilter.ANY)).all());
  }

  private void by(Function<Admin, KafkaFuture<?>> verb) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      verb.apply(admin).get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the settings of both clients. */
  Map<String, String> logins() {
    return Map.of(
        "kafka.bootstrap.servers",
        kafka.securedServers(),
        "kafka.security.protocol",
        "SASL_PLAINTEXT",
        "kafka.sasl.mechanism",
        "PLAIN",
        "kafka.sasl.jaas.config",
        login(LOOKER, PASSWORD),
        "producer.override.bootstrap.servers",
        kafka.securedServers(),
        "producer.override.security.protocol",
        "SASL_PLAINTEXT",
        "producer.override.sasl.mechanism",
        "PLAIN",
        "producer.override.sasl.jaas.config",
        login(SENDER, PASSWORD));
  }

  static String login(String user, String password) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\""
        + user
        + "\" password=\""
        + password
        + "\";";
  }
}
