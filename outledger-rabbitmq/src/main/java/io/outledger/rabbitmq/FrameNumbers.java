// SPDX-License-Identifier: Apache-2.0
package io.outledger.rabbitmq;

import static java.lang.invoke.MethodType.methodType;

import com.rabbitmq.client.impl.Frame;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * A frame's numbers. Older clients, such as those that Spring Boot brings, have them as fields, and
 * newer ones as methods; code that names either does not link with the other.
 */
final class FrameNumbers {

  private static final MethodHandle TYPE = number("getType", "type");
  private static final MethodHandle CHANNEL = number("getChannel", "channel");

  private FrameNumbers() {}

  static int type(Frame frame) {
    return of(TYPE, frame);
  }

  static int channel(Frame frame) {
    return of(CHANNEL, frame);
  }

  private static int of(MethodHandle number, Frame frame) {
    try {
      return (int) number.invokeExact(frame);
    } catch (Throwable e) {
      throw new IllegalStateException("a number of a frame cannot be read", e);
    }
  }

  private static MethodHandle number(String method, String field) {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    try {
      try {
        return lookup.findVirtual(Frame.class, method, methodType(int.class));
      } catch (NoSuchMethodException e) {
        return lookup.findGetter(Frame.class, field, int.class);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this version of RabbitMQ's client is not known", e);
    }
  }
}
