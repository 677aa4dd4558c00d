// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** The log of this module's tests: kept in memory, at every level, while somebody wants it. */
public final class CapturedLog implements SLF4JServiceProvider {

  private static final Queue<String> LINES = new ConcurrentLinkedQueue<>();
  private static volatile boolean wanted;

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** Forgets what there is and keeps what comes. */
  static void start() {
    LINES.clear();
    wanted = true;
  }

  /** Keeps nothing more, and returns what was logged, stack traces included. */
  static String stop() {
    wanted = false;
    return String.join("\n", LINES);
  }

  /** Returns a failure as a log shows it, with its causes and all that was suppressed. */
  static String textOf(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> new Capturing();
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {
    // There is nothing to prepare.
  }

  private static final class Capturing extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1;

    @Override
    public boolean isTraceEnabled() {
      return wanted;
    }

    @Override
    public boolean isDebugEnabled() {
      return wanted;
    }

    @Override
    public boolean isInfoEnabled() {
      return wanted;
    }

    @Override
    public boolean isWarnEnabled() {
      return wanted;
    }

    @Override
    public boolean isErrorEnabled() {
      return wanted;
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String pattern,
        Object @Nullable [] arguments,
        @Nullable Throwable failure) {
      LINES.add(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments));
      if (failure != null) {
        LINES.add(textOf(failure));
      }
    }
  }
}
