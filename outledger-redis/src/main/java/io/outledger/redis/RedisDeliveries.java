// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import io.outledger.receive.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A member of a consumer group on an open connection. A place is an entry's id. For one thread. */
final class RedisDeliveries implements SingleStreamDeliveries<String> {

  private static final byte[] NOTHING = new byte[0];
  private static final Duration ANSWER_TIME_MAX = Duration.ofSeconds(5);
  private static final int OVERHEAD_BYTES = 200;

  private final RedisConnecting.Link link;
  private final RedisCommands<String, byte[]> redis;
  private final RedisGroup group;
  private final String member;
  private final RedisReader reader;
  private final ReceiverSettings settings;
  private final Map<String, byte[]> unreadable = new HashMap<>();
  private final int countMax;
  private String after = RedisGroup.OWN;

  private RedisDeliveries(
      RedisConnecting.Link link,
      RedisGroup group,
      String member,
      ReceiverSettings settings,
      Window window) {
    this.countMax = window == Window.ONE ? 1 : RedisGroup.PAGE_MAX;
    this.link = link;
    this.redis = link.connection().sync();
    this.group = group;
    this.member = member;
    this.reader = new RedisReader(group.stream(), settings.origin());
    this.settings = settings;
  }

  static RedisDeliveries open(
      RedisConnecting connecting,
      RedisGroup group,
      String member,
      ReceiverSettings settings,
      Window window)
      throws Exception {
    CompletableFuture<RedisConnecting.Link> coming = connecting.connect();
    RedisConnecting.Link link;
    try {
      link = coming.get(ANSWER_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException e) {
      var unused = coming.thenAccept(RedisConnecting.Link::close); // where it still comes
      throw e;
    }
    try {
      link.connection().setTimeout(ANSWER_TIME_MAX);
      group.create(link.connection().sync());
      return new RedisDeliveries(link, group, member, settings, window);
    } catch (RuntimeException e) {
      link.close();
      throw e;
    }
  }

  @Override
  public List<Batch<String>> receive(Duration patience) {
    List<RedisGroup.Entry> entries = group.read(redis, member, after, countMax);
    boolean readsOwn = !after.equals(RedisGroup.NEW);
    if (entries.isEmpty()) {
      after = RedisGroup.NEW;
      if (!readsOwn) {
        awaitNews(patience);
      }
      return List.of();
    }
    if (readsOwn) {
      after = entries.get(entries.size() - 1).id();
    }
    List<Arrival<String>> arrivals = new ArrayList<>(entries.size());
    for (RedisGroup.Entry entry : entries) {
      arrivals.add(arrival(entry));
    }
    return List.of(new Batch<>(group.stream(), arrivals));
  }

  /** Returns when something is appended, or somebody else has what there is and time is over. */
  @SuppressWarnings("unchecked") // one stream, in the array of a generic type
  private void awaitNews(Duration patience) {
    var unused =
        redis.xread(
            XReadArgs.Builder.block(patience).count(1), StreamOffset.latest(group.stream()));
  }

  private Arrival<String> arrival(RedisGroup.Entry entry) {
    Map<String, byte[]> fields = entry.fields();
    int bytes = OVERHEAD_BYTES;
    if (fields != null) {
      bytes += fields.values().stream().mapToInt(value -> value.length).sum();
    }
    Arrival<String> arrival = Arrival.read(entry.id(), bytes, () -> reader.read(entry));
    if (arrival.message() == null) {
      byte[] payload = fields == null ? null : fields.get(RedisBinding.PAYLOAD);
      unreadable.put(entry.id(), payload == null ? NOTHING : payload);
    }
    return arrival;
  }

  /** An entry that is pending comes again whenever the group goes on. */
  @Override
  public Optional<Redelivery> redelivery() {
    return Optional.empty();
  }

  /** A group gives up nothing. */
  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.empty();
  }

  @Override
  public void acknowledge(List<String> done) {
    unreadable.keySet().removeAll(done);
    var unused = redis.xack(group.stream(), group.name(), done.toArray(String[]::new));
  }

  /** Takes the entries over from itself, so that they do not look like those of a dead member. */
  @Override
  public void keep(List<String> held) {
    var unused =
        redis.xclaim(
            group.stream(),
            io.lettuce.core.Consumer.from(group.name(), member),
            io.lettuce.core.XClaimArgs.Builder.justid().minIdleTime(0),
            held.toArray(String[]::new));
  }

  @Override
  public void setAside(Arrival<String> arrival) throws Exception {
    settings.setAside(arrival, unreadable.getOrDefault(arrival.place(), NOTHING));
  }

  @Override
  public void close() {
    try {
      if (link.isOpen()) {
        group.leave(redis, member);
      }
    } finally {
      link.close();
    }
  }
}
