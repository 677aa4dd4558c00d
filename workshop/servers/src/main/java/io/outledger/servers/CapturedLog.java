// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
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

/**
 * The log of a module's tests, kept in memory while somebody wants it: ours at every level, that of
 * others from INFO on, also what goes to {@code java.util.logging}. A module uses it that names it
 * in {@code META-INF/services} of its tests. Thread-safe, one test at a time.
 */
public final class CapturedLog implements SLF4JServiceProvider {

  private static final String OURS = "io.outledger.";
  private static final Queue<String> LINES = new ConcurrentLinkedQueue<>();
  private static final Queue<String> ENTRIES = new ConcurrentLinkedQueue<>();
  private static final Handler OF_THE_JDK = new OfTheJdk();
  private static volatile boolean wanted;

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** Made by the logging API. */
  public CapturedLog() {}

  /** Forgets what there is and keeps what comes. */
  public static void start() {
    LINES.clear();
    ENTRIES.clear();
    wanted = true;
    Logger root = Logger.getLogger("");
    root.removeHandler(OF_THE_JDK);
    root.addHandler(OF_THE_JDK);
  }

  /**
   * Runs something and keeps what is logged meanwhile.
   *
   * @param work what is run
   * @return the entries from INFO on, each with its level in front and its stack trace behind
   */
  public static List<String> during(Runnable work) {
    start();
    try {
      work.run();
    } finally {
      stop();
    }
    return List.copyOf(ENTRIES);
  }

  /**
   * Says whether something was logged since the start.
   *
   * @param part of one line
   * @return true once it was
   */
  public static boolean has(String part) {
    return count(part) > 0;
  }

  /**
   * Counts lines that were logged since the start.
   *
   * @param part of each line
   * @return how many there are
   */
  public static long count(String part) {
    return LINES.stream().filter(line -> line.contains(part)).count();
  }

  /**
   * Keeps nothing more.
   *
   * @return what was logged, stack traces included
   */
  public static String stop() {
    wanted = false;
    Logger.getLogger("").removeHandler(OF_THE_JDK);
    return String.join("\n", LINES);
  }

  /**
   * Writes a failure as a log shows it.
   *
   * @param failure with its causes and all that was suppressed
   * @return its stack trace
   */
  public static String textOf(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> new Capturing(name.startsWith(OURS));
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

    private final boolean isOurs;

    private Capturing(boolean isOurs) {
      this.isOurs = isOurs;
    }

    @Override
    public boolean isTraceEnabled() {
      return wanted && isOurs;
    }

    @Override
    public boolean isDebugEnabled() {
      return wanted && isOurs;
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
      boolean isEntry = level.toInt() >= Level.INFO.toInt();
      keep(isEntry, level + " " + MessageFormatter.basicArrayFormat(pattern, arguments), failure);
    }
  }

  private static void keep(boolean isEntry, String line, @Nullable Throwable failure) {
    LINES.add(line);
    String trace = failure == null ? "" : textOf(failure);
    if (failure != null) {
      LINES.add(trace);
    }
    if (isEntry) {
      ENTRIES.add(line + "\n" + trace);
    }
  }

  /** What a library writes by the JDK's own logging, at the levels that this has by default. */
  private static final class OfTheJdk extends Handler {

    @Override
    public void publish(LogRecord entry) {
      String text = new SimpleFormatter().formatMessage(entry);
      keep(true, entry.getLevel() + " " + text, entry.getThrown());
    }

    @Override
    public void flush() {
      // Nothing is held back.
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
