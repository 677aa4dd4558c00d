// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the data source that holds the ledger. */
final class DataSources {

  private DataSources() {}

  /**
   * Returns the one that relays take their connections from.
   *
   * @param name the bean's name
   * @throws ConfigurationException {@code OUT-021} where there is none of that name
   */
  static DataSource ofRelays(ListableBeanFactory beans, String name) {
    return named(beans, "outledger.relay.data-source", name);
  }

  private static DataSource named(ListableBeanFactory beans, String property, String name) {
    List<String> names = Arrays.asList(beans.getBeanNamesForType(DataSource.class));
    if (!names.contains(name)) {
      throw refused(
          property + " is " + name + ", and no data source has that name. There are " + names);
    }
    return beans.getBean(name, DataSource.class);
  }

  /**
   * Returns the one that is named, else the only or primary one.
   *
   * @param name the bean's name; null where none was configured
   * @param ofRelays the name of the one that is for relays alone; null where there is none
   * @throws ConfigurationException {@code OUT-021} where there is none of that name, or several and
   *     nothing says which
   */
  static DataSource choose(
      ListableBeanFactory beans, @Nullable String name, @Nullable String ofRelays) {
    if (name == null) {
      List<String> names =
          new ArrayList<>(Arrays.asList(beans.getBeanNamesForType(DataSource.class)));
      DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
      names.remove(ofRelays);
      if (only == null && names.size() == 1) {
        return beans.getBean(names.get(0), DataSource.class);
      }
      if (only == null) {
        throw refused(
            "there are several data sources, "
                + names
                + ", and none is primary. Set"
                + " outledger.data-source to the name of the one whose transactions write the"
                + " messages. For an outbox on each, declare Outledger, SpringTransactions and"
                + " SpringOutbox beans of each data source, those of one of them @Primary");
      }
      return only;
    }
    return named(beans, "outledger.data-source", name);
  }

  private static ConfigurationException refused(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
