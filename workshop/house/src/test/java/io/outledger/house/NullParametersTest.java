// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.outledger.Message;
import io.outledger.OutledgerException;
import io.outledger.event.EventHandlers;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.event.StateType;
import io.outledger.jackson.JacksonSerializer;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.receive.ReceiverEvent;
import io.outledger.receive.ReceiverListener;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayListener;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaDefinition;
import io.outledger.saga.SagaRoom;
import io.outledger.saga.SagaStore;
import io.outledger.saga.SagaWork;
import io.outledger.store.RelayStore;
import io.outledger.testing.InMemoryOutbox;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import io.outledger.time.TimeSource;
import io.outledger.webhook.WebhookReader;
import io.outledger.webhook.WebhookSecret;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Flow;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every parameter of every public constructor and method that has to be given is tried with null,
 * one at a time: it fails with a code and says that it is null.
 */
class NullParametersTest {

  /** Packages of users and of implementers. */
  private static final String API =
      "io\\.outledger(\\.(cloudevents|event|flow|frontier|inbox|publish|receive|saga|store|time"
          + "|relay|relay\\.(handler|listener|options)|jdbc|jdbc\\.admin|jdbc\\.spi"
          + "|jackson|jackson3|schemaregistry|jsonschema|avro|protobuf|kafka|rabbitmq|webhook))?";

  /** What Outledger calls, and nobody else. */
  private static final List<Class<?>> CALLED_BY_US =
      List.of(
          Publisher.class,
          PublisherClient.class,
          RelayListener.class,
          ReceiverListener.class,
          Flow.Publisher.class, // its specification demands another exception
          Comparable.class);

  /** What Outledger makes and users read, and values for errors, in which null is no reason. */
  private static final Set<String> EXEMPT =
      Set.of(
          "Require", // the check itself
          "Message.<init>", // read from a ledger as it stands there; a builder checks
          "frontier.HoleTracker", // the relay's own
          "frontier.HoleTracker$Looked",
          "inbox.ReceiveFailedException",
          "receive.Deliveries", // called by a receiver
          "relay.handler.MessageHandler.handle", // called by the relay
          "jdbc.spi.ReceivedTableBySql", // called by an inbox's receiver
          "jdbc.spi.ParkedNotes", // called by those who carry requests out
          "jdbc.spi.HandledRows", // as that
          "jdbc.spi.InboxConsumers", // called by a database's inbox
          "jdbc.spi.InboxKeys", // as that
          "jdbc.admin.AttemptMade",
          "jdbc.admin.Cause",
          "jdbc.admin.ConsumerState",
          "jdbc.admin.DeclarationState",
          "jdbc.admin.Standing",
          "jdbc.admin.FailureGroup.<init>",
          "jdbc.admin.Holes",
          "jdbc.admin.Holes$OpenRange",
          "jdbc.admin.InstanceState",
          "jdbc.admin.LedgerEntry",
          "jdbc.admin.LedgerState",
          "jdbc.admin.LedgerState$Point",
          "jdbc.admin.MessageInfo",
          "jdbc.admin.MessageSearch",
          "jdbc.admin.MessageState",
          "jdbc.admin.Overview",
          "jdbc.admin.Parked",
          "jdbc.admin.ParkedCounts",
          "jdbc.admin.Reason",
          "jdbc.admin.SagaInfo",
          "jdbc.admin.SagaState",
          "jdbc.admin.SubscriptionState",
          "jdbc.admin.SubscriptionState$Lag",
          "jdbc.admin.Why",
          "jdbc.admin.SubscriptionStatus",
          "jdbc.admin.Revision.<init>", // the compiler forgets that a record's array may be null
          "jdbc.spi.RequestRow.<init>", // as that
          "relay.DrainReport",
          "relay.StepReport",
          "relay.listener.Subject",
          "kafka.UnreadableRecord");

  /**
   * What needs a database, which {@link NullArgumentsIT} tries, another of these, or a broker's.
   */
  private static final Set<String> TRIED_ELSEWHERE =
      Set.of(
          "avro.AvroSerializer",
          "flow.FlowMessage",
          "jdbc.Admin",
          "jdbc.JdbcInbox",
          "jdbc.JdbcOutbox",
          "jdbc.JdbcPublisher",
          "jdbc.Outledger",
          "jdbc.OutledgerBuilder",
          "jdbc.ParkedMessages",
          "jdbc.ParkedReceipts",
          "jdbc.PullBuilder",
          "jdbc.Readers",
          "jdbc.RelayBuilder",
          "jdbc.Requests",
          "jdbc.Retention",
          "jdbc.SagaAdmin",
          "jdbc.Sagas",
          "jdbc.Subscriptions",
          "jdbc.admin.MessageQuery", // a value within bounds, which no sample keeps
          "jdbc.admin.RequestQuery", // as that; its verb is a known one
          "jsonschema.JsonSchemaSerializer",
          "receive.BrokerReceiver",
          "relay.Pull",
          "relay.RunningRelay",
          "saga.SagaReader",
          "schemaregistry.WireFormat",
          "webhook.WebhookReader");

  private final Samples samples = samples();
  private final List<String> wrong = new ArrayList<>();
  private final Set<String> untried = new TreeSet<>();

  @Test
  void nullFailsWithACodeWhereverSomethingHasToBeGiven() {
    for (Class<?> type : api()) {
      Stream.<Executable>concat(constructors(type), Stream.of(type.getDeclaredMethods()))
          .filter(each -> Modifier.isPublic(each.getModifiers()))
          .filter(each -> !Modifier.isAbstract(each.getModifiers()))
          .filter(each -> !each.isSynthetic() && !each.getName().equals("equals"))
          .filter(each -> !isExempt(type, each))
          .forEach(each -> tryAll(type, each));
    }
    assertThat(wrong).isEmpty();
    assertThat(TRIED_ELSEWHERE).containsAll(untried);
  }

  private static List<Class<?>> api() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.outledger")
            .stream()
            .filter(NullParametersTest::isApi)
            .sorted(Comparator.comparing(JavaClass::getName))
            .<Class<?>>map(JavaClass::reflect)
            .toList();
  }

  private static boolean isApi(JavaClass type) {
    for (JavaClass each = type; each != null; each = each.getEnclosingClass().orElse(null)) {
      if (!each.getModifiers().contains(JavaModifier.PUBLIC)) {
        return false;
      }
    }
    return type.getPackageName().matches(API) && !type.isEnum();
  }

  private static Stream<? extends Executable> constructors(Class<?> type) {
    return Modifier.isAbstract(type.getModifiers())
        ? Stream.empty()
        : Stream.of(type.getConstructors());
  }

  private static boolean isExempt(Class<?> type, Executable each) {
    return EXEMPT.contains(nameOf(type))
        || EXEMPT.contains(nameOf(type) + "." + called(each))
        || RelayEvent.class.isAssignableFrom(type)
        || ReceiverEvent.class.isAssignableFrom(type)
        || (Throwable.class.isAssignableFrom(type) && !(each instanceof Method))
        || CALLED_BY_US.stream()
            .filter(ours -> ours.isAssignableFrom(type) && ours != type)
            .flatMap(ours -> Stream.of(ours.getMethods()))
            .anyMatch(method -> method.getName().equals(each.getName()));
  }

  private static String nameOf(Class<?> type) {
    return type.getName().substring("io.outledger.".length());
  }

  private static String called(Executable each) {
    return each instanceof Method ? each.getName() : "<init>";
  }

  private void tryAll(Class<?> type, Executable each) {
    AnnotatedType[] parameters = each.getAnnotatedParameterTypes();
    for (int i = 0; i < parameters.length; i++) {
      if (isGiven(parameters[i])) {
        tryNull(type, each, i);
      }
    }
  }

  private void tryNull(Class<?> type, Executable each, int at) {
    Class<?>[] types = each.getParameterTypes();
    boolean needsNoInstance = !(each instanceof Method) || Modifier.isStatic(each.getModifiers());
    Optional<?> on = needsNoInstance ? Optional.of(type) : samples.of(type);
    List<Optional<Object>> others = Stream.of(types).map(samples::of).toList();
    boolean isPossible = on.isPresent();
    @Nullable Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = i == at ? null : others.get(i).orElse(null);
      isPossible &= i == at || others.get(i).isPresent();
    }
    if (!isPossible) {
      untried.add(nameOf(type));
      return;
    }
    String parameter = nameOf(type) + "." + called(each) + ": parameter " + (at + 1);
    try {
      Samples.call(each, on.get(), arguments);
      wrong.add(parameter + " takes null");
    } catch (InvocationTargetException e) {
      if (!(e.getCause() instanceof OutledgerException refused
          && String.valueOf(refused.getMessage())
              .matches(".*(must not be null|is null|has no).*"))) {
        wrong.add(parameter + " throws " + e.getCause());
      }
    }
  }

  private static boolean isGiven(AnnotatedType type) {
    boolean isPrimitive = type.getType() instanceof Class<?> plain && plain.isPrimitive();
    return !isPrimitive && !type.isAnnotationPresent(Nullable.class);
  }

  /** Returns samples of what has a rule that reflection does not know. */
  private static Samples samples() {
    Samples samples = new Samples().with(Message.class, Message.to("t", "t").key("k").build());
    EventTypes.Builder types =
        EventTypes.builder()
            .register(String.class, type -> hand(samples, type.name("t").topic("t").keyless()));
    PayloadSerializer serializer = JacksonSerializer.create();
    Events events = Events.builder().types(types).serializer(serializer).build();
    EventHandlers<Object> handlers =
        EventHandlers.of(
            events, choices -> hand(samples, choices.on(String.class, (event, context) -> {})));
    WebhookSecret secret = WebhookSecret.of("whsec_" + "A".repeat(32));
    sagas(samples, events);
    return samples
        .with(Events.class, events)
        .with(PayloadSerializer.class, serializer)
        .with(JacksonSerializer.class, JacksonSerializer.create())
        .with(EventHandlers.class, handlers)
        .with(WebhookReader.class, WebhookReader.of("origin", secret))
        .with(Relay.class, relay(samples));
  }

  private static void sagas(Samples samples, Events events) {
    Saga<Integer> saga =
        builder ->
            hand(
                samples,
                builder
                    .name("s")
                    .state(Integer.class, t -> hand(samples, t.name("n")))
                    .startedBy(String.class, event -> "k", (event, step) -> hand(samples, step)));
    SagaWork<Integer> work = SagaWork.of(saga, events);
    hand(samples, work);
    hand(samples, SagaDefinition.of(saga));
    StateType<Integer> number = StateType.of(Integer.class, t -> t.name("n"));
    hand(samples, number);
    hand(samples, number.in(events, 1));
    SagaStore store = (SagaStore) samples.of(SagaStore.class).orElseThrow();
    SagaRoom room = new SagaRoom(store, new InMemoryOutbox(), type -> null, TimeSource.system());
    try {
      work.handle("event", Map.of(), room);
    } catch (Exception e) { // the step was handed on, and starts nothing
      assertThat(e).isInstanceOf(OutledgerException.class);
    }
  }

  private static Relay relay(Samples samples) {
    RelayStore store = (RelayStore) samples.of(RelayStore.class).orElseThrow();
    return new Relay(
        store,
        List.of(Route.only(new RecordingPublisher())),
        RelayOptions.defaults(),
        event -> {},
        new Relay.Surroundings(new SettableClock(), new SplittableRandom(1)));
  }

  /** Hands on a builder that only a callback is given. */
  @SuppressWarnings("unchecked")
  private static <T> void hand(Samples samples, T builder) {
    samples.with((Class<T>) builder.getClass(), builder);
  }
}
