// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.OutledgerException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.inbox.InboxRetention;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.Schema;
import io.outledger.kafka.KafkaPublisher;
import io.outledger.kafka.KafkaReceiver;
import io.outledger.kafka.KafkaShareReceiver;
import io.outledger.relay.handler.HandlerPublisher;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Transforms;
import io.outledger.servers.Postgres;
import io.outledger.testing.InMemoryOutbox;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Whatever a user calls with null where it has to be given fails with a code, and says what. */
class NullArgumentsIT {

  /** Classes whose constructors and static methods are called. */
  private static final List<Class<?>> CLASSES =
      List.of(
          InboxRetention.class,
          Backoff.class,
          BreakerPolicy.class,
          RetryPolicy.class,
          Transforms.class,
          HandlerPublisher.class,
          Message.class,
          Outledger.class,
          KafkaReceiver.class,
          KafkaShareReceiver.class,
          KafkaPublisher.class,
          JacksonSerializer.class,
          InMemoryOutbox.class,
          RecordingPublisher.class,
          SettableClock.class);

  /** What takes null, and why it may: not a user's to call, or a value that anything may hold. */
  private static final Set<String> EXEMPT =
      Set.of(
          "Message.<init>", // read from a ledger as it stands there; a builder checks
          "RetryPolicy.equals",
          "RecordingPublisher.open", // called by a relay
          "KafkaPublisher.open");

  @Test
  void nullFailsWithACodeWhereverSomethingHasToBeGiven() {
    List<String> accepting = new ArrayList<>();
    for (Class<?> type : CLASSES) {
      staticOnes(type).forEach(each -> call(null, each, accepting));
    }
    try (Outledger outledger = outledger()) {
      for (Object door : doors(outledger)) {
        Class<?> type =
            Modifier.isPublic(door.getClass().getModifiers()) ? door.getClass() : Outbox.class;
        Stream.of(type.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> method.getDeclaringClass() != Object.class)
            .filter(method -> !method.isSynthetic() && !method.getName().equals("equals"))
            .forEach(method -> call(door, method, accepting));
      }
    }
    assertThat(accepting).isEmpty();
  }

  private static List<Object> doors(Outledger outledger) {
    Map<String, String> kafka = Map.of("bootstrap.servers", "localhost:1", "group.id", "g");
    return List.of(
        outledger,
        Outledger.builder(new PGSimpleDataSource()),
        outledger.outbox(),
        outledger.outbox().boundTo(outledger.transactions()),
        outledger.transactions(),
        outledger.inbox("inbox"),
        outledger.inbox("inbox").parked(),
        outledger.relay("relay"),
        outledger.pull("pull"),
        outledger.retention(),
        outledger.admin(),
        outledger.admin().sagas(),
        outledger.admin().readers(),
        outledger.sagas(),
        outledger.requests(),
        outledger.subscriptions(),
        outledger.parkedMessages("relay"),
        outledger.schema(),
        outledger.events(),
        outledger.events().types(),
        EventTypes.builder(),
        Events.builder(),
        Message.to("t", "t"),
        RelayOptions.builder(),
        RetryPolicy.DEFAULT,
        Transforms.NONE,
        KafkaReceiver.with(kafka).topics("t"),
        KafkaShareReceiver.with(kafka).topics("t"),
        KafkaPublisher.with(Map.of("bootstrap.servers", "localhost:1")),
        JacksonSerializer.create(),
        new InMemoryOutbox(),
        new SettableClock());
  }

  private static Outledger outledger() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(Postgres.shared().jdbcUrl(Postgres.shared().createDatabase()));
    Schema.of(source).apply(source);
    return Outledger.builder(source).build();
  }

  private static Stream<Executable> staticOnes(Class<?> type) {
    Stream<Executable> constructors = Stream.of(type.getConstructors());
    return Stream.concat(
        constructors,
        Stream.of(type.getDeclaredMethods())
            .filter(method -> Modifier.isStatic(method.getModifiers()))
            .filter(method -> Modifier.isPublic(method.getModifiers())));
  }

  /** Calls it with null for whatever is not primitive, and notes it where that has no code. */
  private static void call(@Nullable Object on, Executable each, List<String> accepting) {
    String name = each.getDeclaringClass().getSimpleName() + "." + simpleName(each);
    if (EXEMPT.contains(name)
        || Arrays.stream(each.getAnnotatedParameterTypes()).noneMatch(NullArgumentsIT::isGiven)) {
      return;
    }
    Object[] nulls =
        Arrays.stream(each.getParameterTypes()).map(NullArgumentsIT::nothing).toArray();
    try {
      if (each instanceof Method method) {
        method.invoke(on, nulls);
      } else {
        ((Constructor<?>) each).newInstance(nulls);
      }
      accepting.add(name + " takes null");
    } catch (InvocationTargetException e) {
      if (!(e.getCause() instanceof OutledgerException refused
          && String.valueOf(refused.getMessage()).contains("null"))) {
        accepting.add(name + " throws " + e.getCause());
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name, e);
    }
  }

  private static String simpleName(Executable each) {
    return each instanceof Method ? each.getName() : "<init>";
  }

  private static boolean isGiven(AnnotatedType type) {
    boolean isPrimitive = type.getType() instanceof Class<?> plain && plain.isPrimitive();
    return !isPrimitive && !type.isAnnotationPresent(Nullable.class);
  }

  private static @Nullable Object nothing(Class<?> type) {
    if (type == int.class) {
      return 1;
    }
    return type == long.class ? (Object) 1L : type == boolean.class ? (Object) true : null;
  }
}
