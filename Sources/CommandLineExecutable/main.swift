import CommandLineTool
import SquallCases

ToolProcess.run(apps: Cases.apps, services: Cases.services)
