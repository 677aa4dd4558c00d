// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Whether published application events are appended: where the property says so, and where Spring
 * Data JDBC is there and the property says nothing. Its repositories publish what an aggregate has
 * registered, and have no other way out.
 */
class OnApplicationEvents implements Condition {

  private static final String SPRING_DATA_JDBC =
      "org.springframework.data.jdbc.core.JdbcAggregateTemplate";

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    Boolean said =
        context
            .getEnvironment()
            .getProperty("outledger.events.from-application-events", Boolean.class);
    return said == null ? ClassUtils.isPresent(SPRING_DATA_JDBC, context.getClassLoader()) : said;
  }
}
