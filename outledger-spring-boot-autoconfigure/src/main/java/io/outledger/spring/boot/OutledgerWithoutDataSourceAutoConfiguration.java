// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Says so where Outledger is configured, and there is no data source to set it up on. */
@AutoConfiguration(after = OutledgerAutoConfiguration.class)
@ConditionalOnProperty(prefix = "outledger", name = "enabled", matchIfMissing = true)
@ConditionalOnMissingBean(DataSource.class)
public class OutledgerWithoutDataSourceAutoConfiguration {

  private static final Logger LOG =
      LoggerFactory.getLogger(OutledgerWithoutDataSourceAutoConfiguration.class);

  /** Creates it. */
  public OutledgerWithoutDataSourceAutoConfiguration() {}

  // Before any bean is made: a bean that wants the outbox fails, and names nothing of this.
  @Bean
  static BeanFactoryPostProcessor outledgerWithoutDataSource(Environment environment) {
    Set<String> groups = PropertyNames.groups();
    List<String> configured =
        Binder.get(environment)
            .bind("outledger", Bindable.mapOf(String.class, Object.class))
            .orElseGet(Map::of)
            .keySet()
            .stream()
            .filter(groups::contains) // what belongs to somebody else's tools is not ours to judge
            .sorted()
            .toList();
    return beans -> {
      if (!configured.isEmpty()) {
        LOG.warn(
            "outledger.{} … is configured, and nothing is set up, because there is no DataSource"
                + " bean: no outbox, no relays, no handlers. Add spring-boot-starter-jdbc and set"
                + " spring.datasource.url, or set outledger.enabled=false. Outledger does not work"
                + " over R2DBC",
            configured.get(0));
      }
    };
  }
}
