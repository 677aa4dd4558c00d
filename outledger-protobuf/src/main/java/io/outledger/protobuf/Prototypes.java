// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.Message;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Finds the empty message of a generated class, by which others of it are read. */
final class Prototypes {

  private Prototypes() {}

  /**
   * Returns it.
   *
   * @throws ConfigurationException {@code OUT-021} if the class is not generated for protobuf-java,
   *     or for another version than the one that is here
   */
  static Message of(Class<?> type) {
    if (!Message.class.isAssignableFrom(type)) {
      throw refused(type, "it is not generated for protobuf-java: it does not implement Message");
    }
    try {
      return (Message)
          MethodHandles.publicLookup()
              .findStatic(type, "getDefaultInstance", MethodType.methodType(type))
              .invoke();
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw refused(type, "it has no public getDefaultInstance(), as generated classes have");
    } catch (LinkageError e) { // such as a runtime that is older than what has generated it
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw refused(type, "it cannot be initialised: " + cause);
    } catch (Throwable e) {
      throw refused(type, "its getDefaultInstance() threw " + e);
    }
  }

  private static ConfigurationException refused(Class<?> type, String why) {
    return new ConfigurationException(
        ErrorCode.INVALID_CONFIGURATION,
        "events of "
            + type.getName()
            + " cannot be Protocol Buffers: "
            + why
            + "; generate the class with protoc, of the version of protobuf-java");
  }
}
