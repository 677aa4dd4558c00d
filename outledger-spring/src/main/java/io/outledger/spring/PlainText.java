// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring;

import java.lang.reflect.Modifier;
import java.nio.Buffer;

/** Objects whose text is what they are, so that it can be a key or an id. */
public final class PlainText {

  /** Says what is wrong where a text is missing, and what to do. */
  public static final String REMEDY =
      "its text does not tell which value it is, as that of an array, of a buffer, and of a class"
          + " without a toString() of its own. Use a text, or give the class a toString() that"
          + " returns its value";

  private static final ClassValue<Boolean> MISSING =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return find(type);
        }
      };

  private PlainText() {}

  /**
   * Returns whether objects of a class have no text that tells which value they are. An interface
   * or an abstract class does not tell: ask about the class of a value.
   *
   * @param type the class of a key or an id
   */
  public static boolean isMissingIn(Class<?> type) {
    return MISSING.get(type);
  }

  private static boolean find(Class<?> type) {
    if (type.isArray() || Buffer.class.isAssignableFrom(type)) {
      return true;
    }
    if (type.isPrimitive() || Modifier.isAbstract(type.getModifiers()) || type == Object.class) {
      return false;
    }
    try {
      return type.getMethod("toString").getDeclaringClass() == Object.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e); // every class has one
    }
  }
}
