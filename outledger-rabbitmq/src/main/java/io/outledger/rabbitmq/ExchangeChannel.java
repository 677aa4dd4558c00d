// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import io.outledger.Printable;
import io.outledger.publish.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The channel of one exchange: RabbitMQ closes a channel when its exchange is missing, and drops
 * what was sent on it. Published to by one thread; the connection's thread tells what became of
 * messages, in the order in which the broker did.
 */
final class ExchangeChannel {

  private static final Pattern TOO_LARGE = Pattern.compile("message size (\\d{1,10}) is larger");

  private final String exchange;
  private final Channel channel;
  private final RabbitClient client;
  private final NavigableMap<Long, Sent> unconfirmed = new ConcurrentSkipListMap<>();

  /** A message on its way. */
  private static final class Sent {
    private final long position;
    private final int bytes;
    private @Nullable String returned; // the connection's thread alone uses it

    Sent(long position, int bytes) {
      this.position = position;
      this.bytes = bytes;
    }
  }

  private ExchangeChannel(String exchange, Channel channel, RabbitClient client) {
    this.exchange = exchange;
    this.channel = channel;
    this.client = client;
  }

  static ExchangeChannel open(String exchange, Channel channel, RabbitClient client)
      throws IOException {
    ExchangeChannel opened = new ExchangeChannel(exchange, channel, client);
    channel.addReturnListener(opened::returned);
    channel.addConfirmListener(opened::confirmed, opened::refused);
    channel.addShutdownListener(opened::ended);
    channel.confirmSelect();
    return opened;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /**
   * Sends a message.
   *
   * @return its outcome where that is known already; null where the broker will tell
   * @throws IOException if the connection fails
   */
  @Nullable Outcome publish(
      long position, String routingKey, BasicProperties properties, byte[] body)
      throws IOException {
    long number = channel.getNextPublishSeqNo();
    unconfirmed.put(number, new Sent(position, body.length));
    try {
      channel.basicPublish(exchange, routingKey, true, properties, body);
      return null;
    } catch (AlreadyClosedException e) {
      unconfirmed.remove(number);
      if (e.isHardError() || !isOfExchange(code(e))) {
        throw e;
      }
      return ofExchange(e);
    }
  }

  private void returned(Return message) {
    long position = RabbitBinding.position(message.getProperties());
    boolean isKnown = false;
    for (Sent sent : unconfirmed.values()) { // by position: several messages may have one id
      if (sent.position == position) { // twice, if an attempt before was never confirmed
        sent.returned = message.getReplyText() + " (" + message.getReplyCode() + ")";
        isKnown = true;
      }
    }
    if (!isKnown) {
      client.end("RabbitMQ returned a message that is not on its way at position " + position);
    }
  }

  private void confirmed(long number, boolean multiple) {
    for (Sent sent : take(number, multiple)) {
      client.answer(sent.position, ofConfirmed(sent));
    }
  }

  /** The confirm of an unroutable message comes after it was returned. */
  private Outcome ofConfirmed(Sent sent) {
    return sent.returned == null ? Outcome.PUBLISHED : client.unroutable(exchange, sent.returned);
  }

  private void refused(long number, boolean multiple) {
    Outcome outcome =
        Outcome.topicUnavailable(
            "RabbitMQ did not take responsibility for it (nack): its queue is full or failing");
    take(number, multiple).forEach(sent -> client.answer(sent.position, outcome));
  }

  private List<Sent> take(long number, boolean multiple) {
    List<Sent> taken = new ArrayList<>();
    if (multiple) {
      NavigableMap<Long, Sent> all = unconfirmed.headMap(number, true);
      while (!all.isEmpty()) {
        taken.add(all.pollFirstEntry().getValue());
      }
    } else {
      Sent sent = unconfirmed.remove(number);
      if (sent != null) {
        taken.add(sent);
      }
    }
    return taken;
  }

  private void ended(ShutdownSignalException signal) {
    if (signal.isHardError() || signal.isInitiatedByApplication()) {
      return; // the client itself knows
    }
    int code = code(signal);
    if (isOfExchange(code)) {
      Outcome outcome = ofExchange(signal);
      take(Long.MAX_VALUE, true).forEach(sent -> client.answer(sent.position, outcome));
      return;
    }
    String text = text(signal);
    Matcher size = TOO_LARGE.matcher(text);
    if (code == AMQP.PRECONDITION_FAILED && size.find()) {
      rejectFirstOf(Long.parseLong(size.group(1)), text);
    }
    client.end("RabbitMQ closed the channel of exchange '" + exchange + "': " + text);
  }

  /** The broker says which size, and not which message; it is the first of that size. */
  private void rejectFirstOf(long bytes, String text) {
    for (Sent sent : unconfirmed.values()) {
      if (sent.bytes == bytes) {
        client.answer(
            sent.position,
            Outcome.rejected(
                text + "; lower RabbitPublisher.bodyBytesMax to the broker's limit, or raise it"));
        return;
      }
    }
  }

  private Outcome ofExchange(ShutdownSignalException signal) {
    String remedy =
        code(signal) == AMQP.NOT_FOUND
            ? "; declare exchange '" + exchange + "': publishing creates none"
            : "; check the rights of the user";
    return Outcome.topicUnavailable(text(signal) + remedy);
  }

  private static boolean isOfExchange(int code) {
    return code == AMQP.NOT_FOUND || code == AMQP.ACCESS_REFUSED;
  }

  private static int code(ShutdownSignalException signal) {
    return signal.getReason() instanceof AMQP.Channel.Close close ? close.getReplyCode() : 0;
  }

  private static String text(ShutdownSignalException signal) {
    return Printable.text(
        signal.getReason() instanceof AMQP.Channel.Close close
            ? close.getReplyText()
            : String.valueOf(signal.getMessage()));
  }
}
