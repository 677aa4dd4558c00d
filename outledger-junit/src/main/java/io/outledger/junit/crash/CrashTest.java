// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A test method that runs once without a crash and then once for each step of the application, in
 * which the application crashes at that step. The method takes a {@link CrashTrial}, prepares a
 * database of its own, and ends with {@link CrashFlow#check()}:
 *
 * <pre>{@code
 * @CrashTest
 * void anOrderIsReservedOnce(CrashTrial trial) throws Exception {
 *   DataSource database = emptyDatabase();
 *   trial
 *       .start(process -> new Shop(process, database))
 *       .request(shop -> shop.place("o-1"))
 *       .settle((process, shop) -> process.drain(shop.relay()))
 *       .observe(() -> reservations(database))
 *       .check();
 * }
 * }</pre>
 *
 * <p>Each run is a test of its own, named after the step. The runs follow one another on one
 * thread.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(CrashExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
public @interface CrashTest {

  /**
   * The most steps that the flow may have, 1 or more. A flow with more fails, since its test would
   * take too long: make it smaller, with one request and few messages.
   */
  int stepsMax() default 300;
}
