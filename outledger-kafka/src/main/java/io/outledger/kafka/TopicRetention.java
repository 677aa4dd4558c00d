// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_DELETE;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import io.outledger.Printable;
import io.outledger.receive.Redelivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For how long topics keep their records. A group that loses its offsets, or whose offsets somebody
 * sets back, receives all of them again. Asks for each topic until it has an answer. For one
 * thread.
 */
final class TopicRetention {

  private static final Logger LOG = LoggerFactory.getLogger(TopicRetention.class);
  private static final String OFFSETS_RETENTION = "offsets.retention.minutes";

  private final Supplier<Admin> admins;
  private final boolean fromEnd;
  private final Duration patience;
  private final Set<String> asked = new HashSet<>();

  /**
   * Makes one.
   *
   * @param admins makes an administrative client, which is closed after each use
   * @param fromEnd whether a group without offsets starts behind the newest record
   * @param patience how long to wait for each answer
   */
  TopicRetention(Supplier<Admin> admins, boolean fromEnd, Duration patience) {
    this.admins = admins;
    this.fromEnd = fromEnd;
    this.patience = patience;
  }

  /**
   * Returns what the broker says of those topics that it was not asked for before; nothing of those
   * whose settings it does not show.
   */
  List<Redelivery> of(Collection<String> topics) {
    Set<String> fresh = new HashSet<>(topics);
    fresh.removeAll(asked);
    if (fresh.isEmpty()) {
      return List.of();
    }
    try {
      Admin admin = admins.get();
      try {
        return read(admin, fresh);
      } finally {
        admin.close(Duration.ZERO);
      }
    } catch (KafkaException e) {
      LOG.debug("cannot read how long {} keep records", fresh, Printable.trace(e));
      return List.of();
    }
  }

  private List<Redelivery> read(Admin admin, Set<String> topics) {
    List<ConfigResource> resources =
        topics.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    KafkaFuture<Collection<Node>> nodes = admin.describeCluster().nodes();
    Map<ConfigResource, KafkaFuture<Config>> answers = admin.describeConfigs(resources).values();
    String offsets = fromEnd ? "" : offsets(admin, nodes);
    List<Redelivery> all = new ArrayList<>();
    answers.forEach(
        (topic, answer) -> {
          answer(answer)
              .map(config -> redelivery(topic.name(), config, offsets))
              .ifPresent(all::add);
          if (isAnswered(answer)) {
            asked.add(topic.name());
          }
        });
    return all;
  }

  /** Returns whether asking again would bring nothing else: it is known, or refused. */
  private static boolean isAnswered(KafkaFuture<Config> answer) {
    try {
      return answer.getNow(null) != null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      return !(e.getCause() instanceof RetriableException);
    }
  }

  private static Redelivery redelivery(String topic, Config config, String offsets) {
    long ms = Long.parseLong(value(config, RETENTION_MS_CONFIG).orElse("-1"));
    boolean deletes =
        value(config, CLEANUP_POLICY_CONFIG).orElse("").contains(CLEANUP_POLICY_DELETE);
    String setting = deletes ? RETENTION_MS_CONFIG : CLEANUP_POLICY_CONFIG;
    return new Redelivery(
        "topic " + topic + " (" + setting + offsets + ")",
        deletes && ms >= 0 ? Duration.ofMillis(ms) : null);
  }

  /** Says when a group that nobody is in begins at the oldest record, by itself. */
  private String offsets(Admin admin, KafkaFuture<Collection<Node>> nodes) {
    Optional<Config> broker =
        answer(nodes)
            .flatMap(known -> known.stream().findFirst())
            .map(Node::idString)
            .map(id -> new ConfigResource(ConfigResource.Type.BROKER, id))
            .map(id -> admin.describeConfigs(List.of(id)).all())
            .flatMap(this::answer)
            .flatMap(configs -> configs.values().stream().findFirst());
    return broker
        .flatMap(config -> value(config, OFFSETS_RETENTION))
        .map(minutes -> Duration.ofMinutes(Long.parseLong(minutes)))
        .map(kept -> "; all of it to a group without a member for " + Printable.span(kept))
        .orElse("");
  }

  private static Optional<String> value(Config config, String name) {
    return Optional.ofNullable(config.get(name)).map(ConfigEntry::value);
  }

  private <T> Optional<T> answer(KafkaFuture<T> future) {
    try {
      return Optional.of(future.get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) { // a right that receiving does not need
      LOG.debug("the broker does not say how long it keeps records", Printable.trace(e));
    }
    return Optional.empty();
  }
}
