// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.spring.EventRouting;
import io.outledger.spring.SpringOutbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.util.ClassUtils;

/**
 * Maps and addresses events as Modulith's configuration says, in the way of Modulith's own modules
 * for brokers: expressions and headers see what the mapping returned.
 */
final class ModulithRouting implements EventRouting {

  private final ObjectProvider<EventExternalizationConfiguration> configuration;
  private final TargetExpressions expressions;

  ModulithRouting(
      ObjectProvider<EventExternalizationConfiguration> configuration, BeanFactory beans) {
    this.configuration = configuration;
    this.expressions = new TargetExpressions(beans);
  }

  /** Returns whether Modulith's configuration selects an event. */
  boolean isExternalized(Object event) {
    return !(event instanceof Message || event instanceof Message.Builder)
        && configuration.getObject().supports(event);
  }

  /** Returns the outbox if it asks this routing, without which events would go elsewhere. */
  static SpringOutbox asked(SpringOutbox outbox, ModulithRouting routing) {
    if (!outbox.isRoutedBy(routing)) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "the application's own SpringOutbox does not know where Spring Modulith's externalised"
              + " events go; give its constructor the bean of type EventRouting");
    }
    return outbox;
  }

  @Override
  public List<Message> route(
      Collection<?> eventsOrMessages, Function<Collection<?>, List<Message>> registered) {
    List<Message> messages = new ArrayList<>();
    for (Object each : eventsOrMessages) {
      messages.addAll(
          each == null || !isExternalized(each)
              ? registered.apply(Collections.singletonList(each))
              : routed(each, registered));
    }
    return messages;
  }

  private List<Message> routed(Object event, Function<Collection<?>, List<Message>> registered) {
    EventExternalizationConfiguration modulith = configuration.getObject();
    RoutingTarget target = modulith.determineTarget(event);
    Object mapped = mapped(modulith, event);
    Address address =
        new Address(
            isTold(target, event, mapped) ? expressions.topic(target, event, mapped) : null,
            target.getKey() == null ? null : keyOf(target, event, mapped),
            modulith.getHeadersFor(mapped));
    return registered.apply(
        registered.apply(List.of(mapped)).stream().map(address::writtenOn).toList());
  }

  private static Object mapped(EventExternalizationConfiguration modulith, Object event) {
    Object mapped = modulith.map(event);
    if (mapped != event && isMessageOfSpring(mapped)) {
      throw new InvalidMessageException(
          ErrorCode.UNREGISTERED_TYPE,
          "the mapping of externalised events of "
              + event.getClass().getName()
              + " returns a Message of Spring's; return its payload, and its headers from"
              + " headers(…) of the same EventExternalizationConfiguration");
    }
    return mapped;
  }

  // By its name, as it may not be on the class path.
  private static boolean isMessageOfSpring(Object mapped) {
    return ClassUtils.getAllInterfacesForClassAsSet(mapped.getClass()).stream()
        .anyMatch(type -> type.getName().equals("org.springframework.messaging.Message"));
  }

  // Where Modulith was told no target, it takes the class's name: the registered topic counts then.
  // An annotation may say the same name on purpose.
  private boolean isTold(RoutingTarget target, Object event, Object mapped) {
    return expressions.isWritten(target, event, mapped)
        || (!ExternalizedClass.isNameOf(event.getClass(), target.getTarget())
            && !ExternalizedClass.isNameOf(mapped.getClass(), target.getTarget()));
  }

  // Where no key was said, the routing of an expression would return the target's text as the key.
  private String keyOf(RoutingTarget target, Object event, Object mapped) {
    String key = expressions.key(target, event, mapped);
    if (key == null || key.isBlank()) {
      throw new InvalidMessageException(
          ErrorCode.MISSING_KEY,
          "the key "
              + target.getKey()
              + " of an externalised event of "
              + mapped.getClass().getName()
              + " is null or empty; use the aggregate's id, or leave the key out of the target");
    }
    return key;
  }

  /** Returns the key that Modulith's configuration says of an event that is not mapped. */
  @Nullable String keyOf(Object event) {
    RoutingTarget target = configuration.getObject().determineTarget(event);
    return target.getKey() == null ? null : keyOf(target, event, event);
  }

  /**
   * Where a message goes, in place of where its type was registered to go.
   *
   * @param topic null for the registered one
   * @param key null for the registered one, or for none
   * @param headers added to those that are there
   */
  private record Address(
      @Nullable String topic, @Nullable String key, Map<String, Object> headers) {

    private Message writtenOn(Message message) {
      Message.Builder builder =
          Message.to(topic == null ? message.topic() : topic, message.type())
              .id(message.id())
              .version(message.version())
              .time(message.time())
              .payload(message.payload());
      String written = key == null ? message.key() : key;
      if (written != null) {
        builder.key(written);
      }
      message.headers().forEach(builder::header);
      headers.forEach((name, value) -> header(builder, name, value));
      return builder.build();
    }

    private static void header(Message.Builder builder, String name, @Nullable Object value) {
      if (value != null) {
        builder.header(
            name, value instanceof byte[] bytes ? new String(bytes, UTF_8) : value.toString());
      }
    }
  }
}
