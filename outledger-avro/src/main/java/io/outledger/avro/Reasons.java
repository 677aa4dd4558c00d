// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import java.io.EOFException;
import org.apache.avro.AvroTypeException;
import org.apache.avro.SystemLimitException;
import org.apache.avro.UnresolvedUnionException;

/**
 * Says why an event could not be written or read: the kind of failure and the place. Avro's
 * messages quote values, and keys of maps are values, too, so only what names schemas is taken.
 */
final class Reasons {

  private static final String PLACE = "[\\w$.\\[\\]]{1,400}";

  private Reasons() {}

  /** Returns why an event could not be written. */
  static String ofWriting(Throwable failure) {
    if (failure instanceof StackOverflowError) {
      return "it is nested too deeply";
    }
    if (failure instanceof UnresolvedUnionException) {
      return String.valueOf(failure.getMessage()); // names the union, the field and the class
    }
    String place = place(failure);
    if (failure instanceof NullPointerException) {
      return "null where the schema allows none" + place;
    }
    if (failure instanceof ClassCastException) {
      return "a value of a class that the schema does not allow" + place;
    }
    if (failure instanceof AvroTypeException) {
      return "a value that the schema does not allow" + place;
    }
    return failure.getClass().getName() + place;
  }

  /** Returns why a payload could not be read. */
  static String ofReading(Throwable failure) {
    if (failure instanceof StackOverflowError) {
      return "it is nested too deeply";
    }
    if (failure instanceof EOFException) {
      return "it ends too early";
    }
    if (failure instanceof AvroTypeException) {
      return String.valueOf(failure.getMessage()); // about the two schemas
    }
    if (failure instanceof SystemLimitException) {
      return "it says that it contains more than fits";
    }
    return "its bytes do not fit the schema: " + failure.getClass().getName();
  }

  /** Takes the path that Avro puts at the end of its text; none where it contains a map's key. */
  private static String place(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    int at = message.lastIndexOf(" at ");
    String place = at < 0 ? "" : message.substring(at + 4);
    return place.matches(PLACE) ? " at " + place : "";
  }
}
