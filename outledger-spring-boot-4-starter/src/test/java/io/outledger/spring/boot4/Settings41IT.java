// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.SettingsContract;

/** What a failed start says on this line of Spring Boot. */
class Settings41IT extends SettingsContract {}
