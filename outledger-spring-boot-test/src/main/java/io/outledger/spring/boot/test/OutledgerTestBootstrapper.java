// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Reads the properties of {@link OutledgerTest}. */
class OutledgerTestBootstrapper extends SpringBootTestContextBootstrapper {

  @Override
  protected String @Nullable [] getProperties(Class<?> testClass) {
    return MergedAnnotations.search(SearchStrategy.TYPE_HIERARCHY)
        .withEnclosingClasses(type -> true)
        .from(testClass)
        .get(OutledgerTest.class)
        .getValue("properties", String[].class)
        .orElse(null);
  }
}
