// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Tells of environment variables and system properties that look like Outledger's and set nothing.
 * In a file such a property stops the start; Boot looks for unknown ones in files alone.
 */
final class UnboundVariables {

  private static final Logger LOG = LoggerFactory.getLogger(UnboundVariables.class);
  private static final String PREFIX = "OUTLEDGER_";
  private static final String VARIABLE = "environment variable";
  private static final String PROPERTY = "system property";

  /** What Kubernetes tells of a service, whose name may begin like one of the properties. */
  private static final Pattern OF_SERVICES =
      Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.*)?)?)");

  private UnboundVariables() {}

  /** Tells of all of them. Never tells a value, which may be secret. */
  static void tell(Environment environment) {
    find(environment).forEach(LOG::warn);
  }

  /** Returns what there is to tell. */
  static List<String> find(Environment environment) {
    List<String> texts = new ArrayList<>();
    if (environment instanceof ConfigurableEnvironment all) {
      find(all, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, VARIABLE, texts);
      find(all, StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME, PROPERTY, texts);
    }
    return texts;
  }

  private static void find(
      ConfigurableEnvironment environment, String source, String kind, List<String> texts) {
    PropertySource<?> given = environment.getPropertySources().get(source);
    if (!(given instanceof EnumerablePropertySource<?> names)) {
      return;
    }
    for (String name : names.getPropertyNames()) {
      String variable = PropertyNames.variable(name.replace('[', '.').replace("]", ""));
      if (looksLikeOurs(variable) && !PropertyNames.isSetBy(variable)) {
        String meant = PropertyNames.meant(variable.toLowerCase(Locale.ROOT).replace('_', '.'));
        texts.add(
            "the %s %s sets nothing, as Outledger has no such property: did you mean %s (%s)?"
                .formatted(kind, name, meant, PropertyNames.variable(meant)));
      }
    }
  }

  private static boolean looksLikeOurs(String variable) {
    if (!variable.startsWith(PREFIX) || OF_SERVICES.matcher(variable).matches()) {
      return false;
    }
    String rest = PropertyNames.uniform(variable.substring(PREFIX.length()));
    return PropertyNames.groups().stream()
        .anyMatch(group -> rest.startsWith(PropertyNames.uniform(group)));
  }
}
