// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.WriteListener;
import com.rabbitmq.client.impl.AMQConnection;
import com.rabbitmq.client.impl.AMQImpl;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.FrameHandler;
import io.outledger.MessageLimits;
import io.outledger.Printable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line whose frames the client can read. It ends a connection at headers that it cannot read,
 * such as tables nested deep, and at a payload that is too large; here such headers are left out,
 * and such a payload is. So the delivery can be named, and acknowledged.
 */
final class ReadableFrames implements FrameHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ReadableFrames.class);

  /** The class of messages, a weight that is always zero, the payload's size, and what is there. */
  private static final int HEADER_BYTES = 2 + 2 + 8 + 2;

  private static final int SIZE_AT = 4;

  private static final long PAYLOAD_BYTES_MAX =
      Math.min(MessageLimits.PAYLOAD_BYTES_MAX, Runtime.getRuntime().maxMemory() / 8);

  private final FrameHandler line;
  private long left; // of the payload that is left out: a message's frames follow each other

  ReadableFrames(FrameHandler line) {
    this.line = line;
  }

  @Override
  public @Nullable Frame readFrame() throws IOException {
    Frame frame = line.readFrame();
    while (frame != null && left > 0 && frame.getType() == AMQP.FRAME_BODY) {
      left -= frame.getPayload().length;
      frame = line.readFrame();
    }
    return frame != null && frame.getType() == AMQP.FRAME_HEADER ? readable(frame) : frame;
  }

  private Frame readable(Frame header) {
    long size = ByteBuffer.wrap(header.getPayload()).getLong(SIZE_AT);
    if (size > PAYLOAD_BYTES_MAX) {
      left = size;
      return header(header, 0);
    }
    try {
      var unused = AMQImpl.readContentHeaderFrom(header.getInputStream());
      return header;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      LOG.debug("headers that RabbitMQ's client cannot read: {}", Printable.text(e));
      return header(header, size);
    }
  }

  /** Returns a header of the same class for a payload of this size, in which nothing else is. */
  private static Frame header(Frame given, long size) {
    ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES);
    bytes.put(given.getPayload(), 0, SIZE_AT).putLong(size).putShort((short) 0);
    return new Frame(AMQP.FRAME_HEADER, given.getChannel(), bytes.array());
  }

  @Override
  public void initialize(AMQConnection connection) {
    line.initialize(connection);
  }

  @Override
  public void startProcessing() {
    line.startProcessing();
  }

  @Override
  public void finishConnectionNegotiation() {
    line.finishConnectionNegotiation();
  }

  @Override
  public boolean internalHearbeat() {
    return line.internalHearbeat();
  }

  @Override
  public void setFrameMax(int bytes) {
    line.setFrameMax(bytes);
  }

  @Override
  public void setTimeout(int millis) throws SocketException {
    line.setTimeout(millis);
  }

  @Override
  public int getTimeout() throws SocketException {
    return line.getTimeout();
  }

  @Override
  public void sendHeader() throws IOException {
    line.sendHeader();
  }

  @Override
  public void writeFrame(Frame frame) throws IOException {
    line.writeFrame(frame);
  }

  @Override
  public void flush(WriteListener written) throws IOException {
    line.flush(written);
  }

  @Override
  public InetAddress getLocalAddress() {
    return line.getLocalAddress();
  }

  @Override
  public int getLocalPort() {
    return line.getLocalPort();
  }

  @Override
  public InetAddress getAddress() {
    return line.getAddress();
  }

  @Override
  public int getPort() {
    return line.getPort();
  }

  @Override
  public void close() {
    line.close();
  }
}
