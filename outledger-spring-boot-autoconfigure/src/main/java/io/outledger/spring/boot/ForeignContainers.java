// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.Problems;
import java.lang.reflect.Method;
import java.util.List;

/**
 * The containers of another library that call methods with {@code @Inboxed}. Such a container, and
 * not Outledger, decides what becomes of a message that fails.
 */
interface ForeignContainers {

  /**
   * A method that is called.
   *
   * @param name what people know it by
   */
  record Called(Method method, String name) {

    /** Returns its name. */
    @Override
    public String toString() {
      return name;
    }
  }

  /** Says whether such a container may call a method. */
  boolean mayCall(Method method);

  /**
   * Looks at all of them that are known by now.
   *
   * @param methods the methods that they may call; not empty
   * @param problems gets what loses a message for certain; of what may lose one, the log warns
   */
  void check(List<Called> methods, Problems problems);
}
