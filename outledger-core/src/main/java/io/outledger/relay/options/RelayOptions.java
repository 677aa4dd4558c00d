// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import io.outledger.ConfigurationException;
import io.outledger.Printable;
import io.outledger.Problems;
import io.outledger.Require;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The options of a relay, in groups. Each group is a record that documents its options and their
 * defaults. Immutable; created by {@link #builder()}.
 *
 * <pre>{@code
 * relay.options(o -> o.lease(Duration.ofSeconds(5)).window(w -> w.withMessages(1_000)));
 * }</pre>
 */
public final class RelayOptions {

  private final LeaseOptions lease;
  private final PollingOptions polling;
  private final WindowOptions window;
  private final RetryPolicy retry;
  private final OutageOptions outage;
  private final BreakerPolicy breaker;
  private final HoleOptions holes;
  private final Transforms transforms;
  private final Set<String> replaces;

  private RelayOptions(Builder builder) {
    lease = builder.lease;
    polling = builder.polling;
    window = builder.window;
    retry = builder.retry;
    outage = builder.outage;
    breaker = builder.breaker;
    holes = builder.holes;
    transforms = builder.transforms;
    replaces = Set.copyOf(builder.replaces);
  }

  /** Returns a builder that holds the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the default options. */
  public static RelayOptions defaults() {
    return builder().build();
  }

  /** Returns the length of the lease. */
  public Duration lease() {
    return lease.length();
  }

  /** Returns how long settled positions may wait for a save. */
  public Duration saveWait() {
    return lease.saveWait();
  }

  /** Returns how often the relay polls and how much it reads. */
  public PollingOptions polling() {
    return polling;
  }

  /** Returns how much the relay may have read but not settled. */
  public WindowOptions window() {
    return window;
  }

  /** Returns what the relay does while it cannot reach a destination. */
  public OutageOptions outage() {
    return outage;
  }

  /** Returns when the relay treats rejections as a broken destination. */
  public BreakerPolicy breaker() {
    return breaker;
  }

  /** Returns how many open positions and holes the relay keeps. */
  public HoleOptions holes() {
    return holes;
  }

  /** Returns the transforms of messages. */
  public Transforms transforms() {
    return transforms;
  }

  /** Returns the routes of which this relay ends what other instances have declared. */
  public Set<String> replaces() {
    return replaces;
  }

  /** Returns what an instance declares that has these routes and options. */
  public Declaring declaring(List<Route> routes) {
    Set<Declaration> has = new LinkedHashSet<>();
    has.add(Declaration.filter(transforms.filter().name()));
    Require.nonNull("routes", routes).forEach(route -> has.addAll(route.declared()));
    return new Declaring(has, replaces);
  }

  /** Returns the retry policy. */
  public RetryPolicy retry() {
    return retry;
  }

  /** Lists all options, for a log. */
  @Override
  public String toString() {
    return "RelayOptions["
        + String.join(
            ", ",
            lease.toString(),
            polling.toString(),
            window.toString(),
            retry.toString(),
            outage.toString(),
            breaker.toString(),
            holes.toString(),
            transforms.equals(Transforms.NONE)
                ? "no transforms"
                : "transforms of the application's")
        + "]";
  }

  /** Collects options; {@link #build()} checks them all at once. Not thread-safe. */
  public static final class Builder {

    private LeaseOptions lease = LeaseOptions.DEFAULT;
    private PollingOptions polling = PollingOptions.DEFAULT;
    private WindowOptions window = WindowOptions.DEFAULT;
    private RetryPolicy retry = RetryPolicy.DEFAULT;
    private OutageOptions outage = OutageOptions.DEFAULT;
    private BreakerPolicy breaker = BreakerPolicy.DEFAULT;
    private HoleOptions holes = HoleOptions.DEFAULT;
    private Transforms transforms = Transforms.NONE;
    private final Set<String> replaces = new LinkedHashSet<>();

    private Builder() {}

    /** Sets {@link LeaseOptions#length()}; the default is 10 seconds. */
    public Builder lease(Duration value) {
      lease = new LeaseOptions(value, lease.saveWait());
      return this;
    }

    /** Sets {@link LeaseOptions#saveWait()}; the default is 50 ms. */
    public Builder saveWait(Duration value) {
      lease = new LeaseOptions(lease.length(), value);
      return this;
    }

    /** Changes the current polling options: how often the relay polls and how much it reads. */
    public Builder polling(UnaryOperator<PollingOptions> change) {
      polling = changed("polling", polling, change);
      return this;
    }

    /** Changes the current window: how much the relay may have read but not settled. */
    public Builder window(UnaryOperator<WindowOptions> change) {
      window = changed("window", window, change);
      return this;
    }

    /** Sets the retry policy; the default is {@link RetryPolicy#DEFAULT}. */
    public Builder retry(RetryPolicy value) {
      retry = Require.nonNull("retry", value);
      return this;
    }

    /**
     * Changes the current outage options: what the relay does while it cannot reach a destination.
     */
    public Builder outage(UnaryOperator<OutageOptions> change) {
      outage = changed("outage", outage, change);
      return this;
    }

    /** Sets the breaker policy; the default is {@link BreakerPolicy#DEFAULT}. */
    public Builder breaker(BreakerPolicy value) {
      breaker = Require.nonNull("breaker", value);
      return this;
    }

    /** Changes the current hole options: how many open positions and holes the relay keeps. */
    public Builder holes(UnaryOperator<HoleOptions> change) {
      holes = changed("holes", holes, change);
      return this;
    }

    /** Sets the transforms of messages; the default is {@link Transforms#NONE}. */
    public Builder transforms(Transforms value) {
      transforms = Require.nonNull("transforms", value);
      return this;
    }

    /**
     * Ends, when the relay starts, what earlier instances have declared of a route and this one
     * does not have: a handler that was removed, a type that it handles no longer, a rule that has
     * another name now. Otherwise the route's messages are parked for an instance that has it. May
     * be called more than once; the default is none.
     *
     * @param value the route's or handler's name; empty for a subscription with one publisher, and
     *     for the filter
     */
    public Builder replaces(String value) {
      replaces.add(Require.nonNull("replaces", value));
      return this;
    }

    private static <T> T changed(String group, T now, UnaryOperator<T> change) {
      return Require.nonNull(group, Require.nonNull("change", change).apply(now));
    }

    /**
     * Builds the options.
     *
     * @throws ConfigurationException {@code OUT-021} listing every problem
     */
    public RelayOptions build() {
      Problems problems = Problems.of("relay options");
      check(problems);
      problems.refuse();
      return new RelayOptions(this);
    }

    private void check(Problems problems) {
      Duration length = lease.length();
      problems.require(
          length.compareTo(LeaseOptions.MIN) >= 0 && length.compareTo(LeaseOptions.MAX) <= 0,
          problem("lease", Printable.span(length), "be between 500 ms and 1 day"));
      Duration wait = lease.saveWait();
      problems.require(
          !wait.isNegative() && wait.compareTo(length.dividedBy(10)) <= 0,
          problem("saveWait", Printable.span(wait), "be between zero and a tenth of the lease"));
      positive(problems, "polling.idle", polling.idle());
      positive(problems, "polling.busy", polling.busy());
      atLeast(1, problems, "polling.pageMessagesMax", polling.pageMessagesMax());
      atLeast(1, problems, "polling.pageBytesMax", polling.pageBytesMax());
      atLeast(1, problems, "window.messages", window.messages());
      atLeast(1, problems, "window.bytes", window.bytes());
      Duration others = outage.holdsUpOthersMax();
      problems.require(
          !others.isNegative(),
          problem("outage.holdsUpOthersMax", Printable.span(others), "not be negative"));
      atLeast(1, problems, "holes.openRangesMax", holes.openRangesMax());
      atLeast(0, problems, "holes.rangesInRowMax", holes.rangesInRowMax());
    }

    private static void positive(Problems problems, String name, Duration value) {
      problems.require(
          !value.isNegative() && !value.isZero(),
          problem(name, Printable.span(value), "be positive"));
    }

    private static void atLeast(long least, Problems problems, String name, long value) {
      problems.require(
          value >= least, problem(name, String.valueOf(value), "be " + least + " or more"));
    }

    private static String problem(String name, String value, String must) {
      return name + " is " + value + " but must " + must;
    }
  }
}
