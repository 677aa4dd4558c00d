// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Customizes the contexts of tests with {@link AutoConfigureOutledger}. */
class OutledgerTestCustomizerFactory implements ContextCustomizerFactory {

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    if (!TestContextAnnotationUtils.hasAnnotation(testClass, AutoConfigureOutledger.class)) {
      return null;
    }
    return new OutledgerTestCustomizer(
        TestContextAnnotationUtils.hasAnnotation(testClass, OutledgerTest.class));
  }
}
