// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import java.beans.XMLDecoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandles;
import java.net.URLClassLoader;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** What nobody may do, once each: the rule against it has to find every one. */
final class LoadingSamples {

  static final List<Class<?>> ALL =
      List.of(
          ByName.class,
          ByNameAndLoader.class,
          ByNameAndModule.class,
          ByLoader.class,
          BySubtypeOfALoader.class,
          ByLookup.class,
          OfSerializedBytes.class,
          OfSubtypeOfStream.class,
          OfXml.class,
          OfDirectory.class);

  private LoadingSamples() {}

  static final class ByName {
    static Class<?> get(String name) throws ClassNotFoundException {
      return Class.forName(name);
    }
  }

  static final class ByNameAndLoader {
    static Class<?> get(String name) throws ClassNotFoundException {
      return Class.forName(name, false, LoadingSamples.class.getClassLoader());
    }
  }

  static final class ByNameAndModule {
    static Class<?> get(String name) {
      return Class.forName(LoadingSamples.class.getModule(), name);
    }
  }

  static final class ByLoader {
    static Class<?> get(ClassLoader loader, String name) throws ClassNotFoundException {
      return loader.loadClass(name);
    }
  }

  static final class BySubtypeOfALoader {
    static Class<?> get(URLClassLoader loader, String name) throws ClassNotFoundException {
      return loader.loadClass(name);
    }
  }

  static final class ByLookup {
    static Class<?> get(String name) throws ReflectiveOperationException {
      return MethodHandles.lookup().findClass(name);
    }
  }

  static final class OfSerializedBytes {
    static Object get(InputStream in) throws IOException, ClassNotFoundException {
      try (ObjectInputStream objects = new ObjectInputStream(in)) {
        return objects.readObject();
      }
    }
  }

  static final class OfSubtypeOfStream extends ObjectInputStream {
    OfSubtypeOfStream(InputStream in) throws IOException {
      super(in);
    }
  }

  static final class OfXml {
    static Object get(InputStream in) {
      try (XMLDecoder decoder = new XMLDecoder(in)) {
        return decoder.readObject();
      }
    }
  }

  static final class OfDirectory {
    static Object get() throws NamingException {
      return new InitialContext();
    }
  }
}
