// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.AMQImpl;
import com.rabbitmq.client.impl.Frame;
import com.rabbitmq.client.impl.FrameHandler;
import io.outledger.MessageLimits;
import io.outledger.Printable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A line whose frames the client can read. It ends a connection at headers that it cannot read,
 * such as tables nested deep, and at a payload that is too large; here such headers are left out,
 * and such a payload is, and what stands in their place says why. So the delivery can be named, and
 * acknowledged.
 *
 * <p>The client is given a proxy: a line's methods differ between its versions, of which Spring
 * Boot brings older ones.
 */
final class ReadableFrames {

  /** Header of what cannot be read: why. */
  static final String PROBLEM = "outledger-unreadable";

  /** Behind the class of messages and a weight that is always zero. */
  private static final int SIZE_AT = 4;

  private static final long PAYLOAD_BYTES_MAX =
      Math.min(MessageLimits.PAYLOAD_BYTES_MAX, Runtime.getRuntime().maxMemory() / 8);

  private final FrameHandler line;
  private final ReadAhead ahead;
  private long left; // of the payload that is left out: a message's frames follow each other

  ReadableFrames(FrameHandler line, ReadAhead ahead) {
    this.line = line;
    this.ahead = ahead;
  }

  /**
   * Returns a line for the client.
   *
   * @param ahead is told of each message, and may have the client wait for it
   */
  static FrameHandler of(FrameHandler line, ReadAhead ahead) {
    ReadableFrames frames = new ReadableFrames(line, ahead);
    return (FrameHandler)
        Proxy.newProxyInstance(
            ReadableFrames.class.getClassLoader(),
            new Class<?>[] {FrameHandler.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("readFrame")) {
                return frames.readFrame();
              }
              try {
                return method.invoke(line, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNullElse(e.getCause(), e);
              }
            });
  }

  /** Returns the next frame, as the client can read it; null if there is none yet. */
  @Nullable Frame readFrame() throws IOException {
    Frame frame = line.readFrame();
    while (frame != null && left > 0 && FrameNumbers.type(frame) == AMQP.FRAME_BODY) {
      left -= frame.getPayload().length;
      frame = line.readFrame();
    }
    if (frame == null || FrameNumbers.type(frame) != AMQP.FRAME_HEADER) {
      return frame;
    }
    Frame readable = readable(frame);
    ahead.read(readable.getPayload().length + size(readable));
    return readable;
  }

  /** Returns how large the payload behind a header is. */
  private static long size(Frame header) {
    return ByteBuffer.wrap(header.getPayload()).getLong(SIZE_AT);
  }

  private Frame readable(Frame header) throws IOException {
    long size = size(header);
    if (size > PAYLOAD_BYTES_MAX) {
      left = size;
      return header(header, 0, "it has " + size + " bytes");
    }
    try {
      var unused = AMQImpl.readContentHeaderFrom(header.getInputStream());
      return header;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      return header(header, size, "its headers are not what they claim to be: " + e);
    }
  }

  /** Returns a header for a payload of this size, which says why the given one is not there. */
  private static Frame header(Frame given, long size, String problem) throws IOException {
    Map<String, Object> headers = Map.of(PROBLEM, Printable.text(problem));
    BasicProperties properties = new BasicProperties.Builder().headers(headers).build();
    return properties.toFrame(FrameNumbers.channel(given), size);
  }
}
