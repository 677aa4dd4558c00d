// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.UnknownManagersContract;

/** On this line of Spring Boot. */
class UnknownManagers41IT extends UnknownManagersContract {}
