// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** The names of all properties, read from their records. */
final class PropertyNames {

  private PropertyNames() {}

  static List<String> all() {
    List<String> names = new ArrayList<>();
    add("outledger", OutledgerProperties.class, names);
    return names;
  }

  private static void add(String prefix, Class<?> type, List<String> names) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name = prefix + "." + dashed(component.getName());
      if (component.getType().isRecord()) {
        add(name, component.getType(), names);
      } else {
        names.add(ConfigurationPropertyName.of(name).toString());
      }
    }
  }

  private static String dashed(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /** Returns the one of some names that is most like another. */
  static String nearest(String name, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(each -> distance(name, each)))
        .orElse("another");
  }

  /** Returns how many letters have to be added, removed or changed to get from one to the other. */
  static int distance(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      above[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] line = new int[to.length() + 1];
      line[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int changed = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
        line[column] =
            Math.min(
                Math.min(line[column - 1] + 1, above[column] + 1), above[column - 1] + changed);
      }
      above = line;
    }
    return above[to.length()];
  }
}
