// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import io.outledger.junit.TestRelays;
import java.util.Optional;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Begins and ends each test's relays. */
class TestRelaysListener extends AbstractTestExecutionListener {

  @Override
  public void beforeTestMethod(TestContext test) {
    relays(test).ifPresent(TestRelays::begin);
  }

  @Override
  public void afterTestMethod(TestContext test) {
    relays(test).ifPresent(TestRelays::end);
  }

  private static Optional<TestRelays> relays(TestContext test) {
    return TestContextAnnotationUtils.hasAnnotation(
                test.getTestClass(), AutoConfigureOutledger.class)
            && test.hasApplicationContext()
        ? Optional.of(test.getApplicationContext().getBean(TestRelays.class))
        : Optional.empty();
  }
}
