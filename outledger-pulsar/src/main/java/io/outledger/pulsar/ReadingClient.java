// SPDX-License-Identifier: Apache-2.0
package io.outledger.pulsar;

import io.outledger.Printable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.impl.ClientCnx;
import org.apache.pulsar.client.impl.ConnectionPool;
import org.apache.pulsar.client.impl.PulsarClientImpl;
import org.apache.pulsar.client.impl.conf.ClientConfigurationData;
import org.apache.pulsar.client.impl.metrics.InstrumentProvider;
import org.apache.pulsar.common.api.proto.CommandMessage;
import org.apache.pulsar.common.protocol.Commands;
import org.apache.pulsar.common.util.netty.EventLoopUtil;
import org.apache.pulsar.shade.io.netty.buffer.ByteBuf;
import org.apache.pulsar.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.pulsar.shade.io.netty.channel.EventLoopGroup;
import org.apache.pulsar.shade.io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of Pulsar that hands over every entry, also one that it cannot read, and holds no more
 * than memory allows. Thread-safe.
 */
final class ReadingClient {

  private static final Logger LOG = LoggerFactory.getLogger(ReadingClient.class);

  /** Of the memory there is, what messages may take that nobody has asked for yet. */
  private static final long AHEAD_BYTES_MAX = Runtime.getRuntime().maxMemory() / 4;

  private final PulsarClient client;
  private final ConnectionPool connections;
  private final EventLoopGroup threads;
  private final Ahead ahead;

  /** What has come and was not taken yet. */
  private static final class Ahead {

    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable String> end = new AtomicReference<>();

    /** Returns whether an entry may be taken. Once one may not, none may. */
    boolean add(long more) {
      if (bytes.get() > 0 && bytes.get() + more > AHEAD_BYTES_MAX) {
        end("more came than memory may hold");
      }
      if (end.get() == null) {
        bytes.addAndGet(more);
      }
      return end.get() == null;
    }

    /** Nothing more is taken. */
    void end(String why) {
      end.compareAndSet(null, why);
    }
  }

  private ReadingClient(
      PulsarClient client, ConnectionPool connections, EventLoopGroup threads, Ahead ahead) {
    this.client = client;
    this.connections = connections;
    this.threads = threads;
    this.ahead = ahead;
  }

  /** A connection of the client. */
  private static final class Connection extends ClientCnx {

    private final Ahead ahead;

    Connection(ClientConfigurationData settings, EventLoopGroup threads, Ahead ahead) {
      super(InstrumentProvider.NOOP, settings, threads);
      this.ahead = ahead;
    }

    @Override
    protected void handleMessage(CommandMessage delivered, ByteBuf bytes) {
      ReadableEntry entry = ReadableEntry.of(bytes, getMaxMessageSize());
      if (!ahead.add(entry.isReadable() ? entry.bytes() : bytes.readableBytes())) {
        return; // nor what follows it: whoever subscribes again gets all of that, in order
      }
      if (entry.isReadable()) {
        super.handleMessage(delivered, bytes);
        return;
      }
      long consumer = delivered.getConsumerId();
      ByteBuf replacement = entry.replacement();
      try {
        super.handleMessage(delivered, replacement);
      } finally {
        replacement.release();
      }
      if (!entry.isCountable()) {
        ahead.end("the broker has counted an entry as %s messages".formatted(entry.count()));
      } else if (entry.count() > 1) { // the broker has counted them as delivered
        var unused = ctx().writeAndFlush(Commands.newFlow(consumer, entry.count() - 1));
      }
    }

    /** The client forgets what came by it, and receives it again. */
    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
      ahead.bytes.set(0);
      super.channelInactive(context);
    }
  }

  static ReadingClient open(ClientConfigurationData settings) throws PulsarClientException {
    EventLoopGroup threads =
        EventLoopUtil.newEventLoopGroup(
            1, false, new DefaultThreadFactory("outledger-pulsar", true));
    Ahead ahead = new Ahead();
    try {
      ConnectionPool connections =
          new ConnectionPool(
              InstrumentProvider.NOOP,
              settings,
              threads,
              () -> new Connection(settings, threads, ahead),
              threads);
      PulsarClient client =
          PulsarClientImpl.builder()
              .conf(settings)
              .eventLoopGroup(threads)
              .connectionPool(connections)
              .build();
      return new ReadingClient(client, connections, threads, ahead);
    } catch (PulsarClientException | RuntimeException e) {
      var unused = threads.shutdownGracefully();
      throw e;
    }
  }

  PulsarClient client() {
    return client;
  }

  /** A message was taken from the client. */
  void taken(int size) {
    ahead.bytes.updateAndGet(bytes -> Math.max(0, bytes - ReadableEntry.bytes(size)));
  }

  /**
   * Returns why nothing comes any more; null where something may. What was received before is still
   * there, and then somebody must subscribe again.
   */
  @Nullable String end() {
    return ahead.end.get();
  }

  /** Begins to close it, which takes seconds. */
  void close() {
    var unused =
        client
            .closeAsync()
            .whenComplete(
                (closed, failure) -> {
                  try {
                    connections.close();
                  } catch (Exception e) { // its thread ends all the same
                    LOG.debug("could not close the connections to Pulsar", Printable.trace(e));
                  } finally {
                    var unusedToo = threads.shutdownGracefully();
                  }
                });
  }
}
