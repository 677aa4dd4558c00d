// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the data source that holds the ledger. */
final class DataSources {

  private DataSources() {}

  /**
   * Returns the one that is named, else the only or primary one.
   *
   * @param name the bean's name; null where none was configured
   * @throws ConfigurationException {@code OUT-021} where there is none of that name, or several and
   *     nothing says which
   */
  static DataSource choose(ListableBeanFactory beans, @Nullable String name) {
    List<String> names = Arrays.asList(beans.getBeanNamesForType(DataSource.class));
    if (name == null) {
      DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
      if (only == null) {
        throw refused(
            "there are several data sources, "
                + names
                + ", and none is primary. Set"
                + " outledger.data-source to the name of the one whose transactions write the"
                + " messages. For an outbox on each, see docs/spring.md, \"Several data sources\"");
      }
      return only;
    }
    if (!names.contains(name)) {
      throw refused(
          "outledger.data-source is "
              + name
              + ", and no data source has that name. There are "
              + names);
    }
    return beans.getBean(name, DataSource.class);
  }

  private static ConfigurationException refused(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
